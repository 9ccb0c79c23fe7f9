package io.acidq.testservers;

import java.util.List;
import java.util.stream.Stream;

/** The databases that AcidQ is tested with, and the settings that its guarantees require. */
public enum ServerKind {
    // Unencrypted connections; the second parameter allows users with a password to log in without encryption.
    MYSQL("MySQL", "jdbc:mysql:", "sslMode=DISABLED&allowPublicKeyRetrieval=true"),
    MARIADB("MariaDB", "jdbc:mariadb:", "sslMode=disable");

    private static final List<String> DURABLE =
            List.of("--innodb-flush-log-at-trx-commit=1", "--sync-binlog=1", "--log-bin=binlog", "--server-id=1");

    /** Settings for a machine with two cores that also runs other processes. */
    private static final List<String> SMALL =
            List.of("--innodb-buffer-pool-size=512M", "--max-connections=500", "--character-set-server=utf8mb4");

    /** Tests read performance_schema.data_locks, which MariaDB does not have. */
    private static final List<String> MYSQL_ONLY =
            List.of("--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--performance-schema=ON");

    private final String displayName;
    private final String scheme;
    private final String urlParameters;

    ServerKind(String displayName, String scheme, String urlParameters) {
        this.displayName = displayName;
        this.scheme = scheme;
        this.urlParameters = urlParameters;
    }

    String displayName() {
        return displayName;
    }

    String scheme() {
        return scheme;
    }

    /** Returns the options of the server, the same for every source. {@code extra} overrides them. */
    List<String> options(List<String> extra) {
        return Stream.of(DURABLE, SMALL, this == MYSQL ? MYSQL_ONLY : List.<String>of(), extra)
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the parameters for servers that this module starts, and for given URLs without parameters. */
    String urlParameters() {
        return urlParameters;
    }

    /** Returns a started server of this kind. */
    TestServer at(String host, int port, String username, String password) {
        String address = scheme + "//" + host + ":" + port + "/";
        return new TestServer(this, address + TestServer.DATABASE + "?" + urlParameters, username, password);
    }
}
