package io.acidq.testservers;

import io.acidq.devdb.CacheFolder;
import io.acidq.devdb.DatabaseServer;
import io.acidq.devdb.ServerRecipe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The newest MariaDB of Debian, with Galera. Its template is the data of a single-member cluster after a clean shutdown. A copy joins with an
 * incremental state transfer; a full transfer would need further installed programs.
 */
final class DebianGalera {
    private static final List<String> SYSTEM_TABLES =
            List.of("mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql");

    /** Found by its name, in which the option has the end. */
    private static final String TRANSFER = "wsrep_sst_acidq";

    private DebianGalera() {}

    static ServerRecipe recipe() {
        Path folder = CacheFolder.ofUser().provide("galera-debian-" + DebianRoot.SUITE, DebianGalera::fetch);
        try {
            return recipe(new DebianRoot(folder), folder.resolve("first/data"));
        } catch (IOException e) {
            throw new TestServerException(folder + " is damaged. Delete it; the next start downloads it again.", e);
        }
    }

    private static ServerRecipe recipe(DebianRoot root, Path template) throws IOException {
        List<String> options = new ArrayList<>(options(root.usr()));
        options.addAll(List.of(
                "--wsrep-on=ON",
                "--wsrep-provider=" + root.usr().resolve("lib/galera/libgalera_smm.so"),
                "--wsrep-cluster-name=acidq",
                "--wsrep-node-address=127.0.0.1",
                "--wsrep-sst-method=acidq",
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2",
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-buffer-pool-size=128M",
                "--character-set-server=utf8mb4"));
        String path = root.folder().resolve("bin") + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        return new ServerRecipe(
                "MariaDB", root.program("sbin/mariadbd"), Map.of("PATH", path), template, options, List.of());
    }

    private static List<String> options(Path usr) {
        return List.of(
                "--no-defaults",
                "--basedir=" + usr,
                "--lc-messages-dir=" + usr.resolve("share/mariadb"),
                "--character-sets-dir=" + usr.resolve("share/mariadb/charsets"),
                "--plugin-dir=" + usr.resolve("lib/mysql/plugin"),
                "--skip-ssl",
                "--innodb-buffer-pool-load-at-startup=OFF");
    }

    private static void fetch(Path folder) {
        try {
            DebianRoot root = DebianRoot.fetch(folder, "mariadb-server-core", "galera-4");
            copyScript(Files.createDirectory(folder.resolve("bin")));
            Path bare = Files.createDirectory(folder.resolve("bare"));
            initialise(root, bare);
            DatabaseServer first = DatabaseServer.start(
                    recipe(root, bare),
                    new DatabaseServer.Settings(
                            0, folder.resolve("first"), GaleraCluster.firstMember(GaleraCluster.freePort())));
            first.close(); // a clean shutdown, which writes the position
            Files.delete(folder.resolve("first/data/galera.cache"));
            Command.run(folder.resolve("unpack.log"), List.of("rm", "-rf", bare.toString()));
        } catch (IOException e) {
            throw new TestServerException("Galera cannot be downloaded from Debian: " + e.getMessage(), e);
        }
    }

    private static void copyScript(Path bin) throws IOException {
        Path script = bin.resolve(TRANSFER);
        try (InputStream resource =
                Objects.requireNonNull(DebianGalera.class.getResourceAsStream(TRANSFER), TRANSFER)) {
            Files.copy(resource, script);
        }
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void initialise(DebianRoot root, Path data) throws IOException {
        StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n");
        for (String file : SYSTEM_TABLES) {
            sql.append(Files.readString(root.usr().resolve("share/mariadb").resolve(file)));
        }
        Path script = root.folder().resolve("initialise.sql");
        Files.writeString(script, sql);
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" <\"$0\"", script.toString()));
        command.addAll(root.program("sbin/mariadbd"));
        command.addAll(options(root.usr()));
        command.addAll(List.of(
                "--bootstrap",
                "--datadir=" + data,
                "--max-allowed-packet=8M",
                // small, because each server copies it
                "--innodb-log-file-size=8M"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        Command.run(root.folder().resolve("initialise.log"), command);
    }
}
