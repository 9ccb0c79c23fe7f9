package io.acidq.testservers;

import io.acidq.devdb.CacheFolder;
import io.acidq.devdb.ServerRecipe;
import io.acidq.testservers.AptSources.Mirror;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest MySQL that Debian has, unpacked into the cache folder with all its libraries and run by their own loader:
 * it does not matter which Linux this is, as long as it has apt and a mirror of Debian, and nothing gets installed.
 */
final class DebianMySql {
    private static final Logger LOG = LoggerFactory.getLogger(DebianMySql.class);
    private static final String SUITE = "sid";

    private DebianMySql() {}

    static ServerRecipe recipe() {
        Path folder = CacheFolder.ofUser().provide("mysql-debian-" + SUITE, DebianMySql::fetch);
        try {
            return new ServerRecipe(
                    "MySQL", program(folder), Map.of(), folder.resolve("data"), options(folder), List.of());
        } catch (IOException e) {
            throw new TestServerException(folder + " is damaged. Delete it; it is fetched anew.", e);
        }
    }

    private static List<String> program(Path folder) throws IOException {
        Path root = folder.resolve("root");
        try (Stream<Path> found = Files.find(
                root.resolve("usr/lib"),
                2,
                (file, attributes) -> file.getFileName().toString().startsWith("ld-linux"))) {
            Path loader = found.findFirst().orElseThrow(() -> new IOException("no ld-linux under " + root));
            return List.of(
                    loader.toString(),
                    "--library-path",
                    String.valueOf(loader.getParent()),
                    root.resolve("usr/sbin/mysqld").toString());
        }
    }

    private static List<String> options(Path folder) {
        Path usr = folder.resolve("root/usr");
        return List.of(
                "--no-defaults",
                "--basedir=" + usr,
                "--lc-messages-dir=" + usr.resolve("share/mysql"),
                "--character-sets-dir=" + usr.resolve("share/mysql/charsets"),
                "--plugin-dir=" + usr.resolve("lib/mysql/plugin"),
                // Debian's built-in folder does not exist here.
                "--secure-file-priv=",
                "--mysqlx=OFF");
    }

    private static void fetch(Path folder) {
        try {
            Path apt = folder.resolve("apt");
            unpack(download(apt), folder);
            Command.run(folder.resolve("unpack.log"), List.of("rm", "-rf", apt.toString()));
            initialise(folder);
        } catch (IOException e) {
            throw new TestServerException("MySQL could not be fetched from Debian: " + e.getMessage(), e);
        }
    }

    /** The first mirror that has the suite. */
    private static Path download(Path apt) throws IOException {
        List<String> failures = new ArrayList<>();
        for (Mirror mirror : AptSources.mirrors(Path.of("/etc/apt"))) {
            LOG.info("Fetching MySQL, once on this machine, from {}", mirror.uri());
            try {
                return new PrivateApt(apt).download(mirror.line(SUITE));
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
        }
        throw new IOException(
                failures.isEmpty()
                        ? "/etc/apt names no mirror of Debian (component main)"
                        : String.join("\n", failures));
    }

    private static void unpack(Path packages, Path folder) throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(packages, "*.deb")) {
            for (Path archive : archives) {
                Command.run(folder.resolve("unpack.log"), List.of("dpkg", "-x", archive.toString(), root.toString()));
            }
        }
    }

    private static void initialise(Path folder) throws IOException {
        List<String> command = new ArrayList<>(program(folder));
        command.addAll(options(folder));
        Path data = folder.resolve("data");
        command.addAll(List.of(
                "--initialize-insecure",
                "--datadir=" + data,
                // Small, because each server copies it.
                "--innodb-redo-log-capacity=8M"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        Command.run(folder.resolve("initialise.log"), command);
        // Each copy is a server with an identity of its own.
        Files.delete(data.resolve("auto.cnf"));
    }
}
