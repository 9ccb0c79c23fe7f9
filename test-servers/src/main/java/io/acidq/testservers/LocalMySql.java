package io.acidq.testservers;

import io.acidq.devdb.CacheFolder;
import io.acidq.devdb.DatabaseServer;
import io.acidq.devdb.ServerRecipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** MySQL from Debian's packages. */
record LocalMySql(DatabaseServer process) implements PrivateServer {
    static LocalMySql start(List<String> options, Map<String, String> environment) {
        return new LocalMySql(DatabaseServer.start(
                DebianMySql.recipe().withEnvironment(environment), new DatabaseServer.Settings(0, null, options)));
    }

    @Override
    public TestServer server() {
        return ServerKind.MYSQL.at("127.0.0.1", process.port(), "root", "");
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        process.restart();
    }

    @Override
    public void close() {
        process.close();
    }

    /** The newest MySQL of Debian. */
    private static final class DebianMySql {
        private DebianMySql() {}

        static ServerRecipe recipe() {
            Path folder = CacheFolder.ofUser().provide("mysql-debian-" + DebianRoot.SUITE, DebianMySql::fetch);
            DebianRoot root = new DebianRoot(folder);
            try {
                return new ServerRecipe(
                        "MySQL",
                        root.program("sbin/mysqld"),
                        Map.of(),
                        folder.resolve("data"),
                        options(root.usr()),
                        List.of());
            } catch (IOException e) {
                throw new TestServerException(folder + " is damaged. Delete it; the next start downloads it again.", e);
            }
        }

        private static List<String> options(Path usr) {
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
                initialise(DebianRoot.fetch(folder, "mysql-server-core"));
            } catch (IOException e) {
                throw new TestServerException("MySQL cannot be downloaded from Debian: " + e.getMessage(), e);
            }
        }

        private static void initialise(DebianRoot root) throws IOException {
            List<String> command = new ArrayList<>(root.program("sbin/mysqld"));
            command.addAll(options(root.usr()));
            Path data = root.folder().resolve("data");
            command.addAll(List.of(
                    "--initialize-insecure",
                    "--datadir=" + data,
                    // small, because each server copies it
                    "--innodb-redo-log-capacity=8M"));
            if (System.getProperty("user.name").equals("root")) {
                command.add("--user=root");
            }
            Command.run(root.folder().resolve("initialise.log"), command);
            // each copy is a server with its own identity
            Files.delete(data.resolve("auto.cnf"));
        }
    }
}
