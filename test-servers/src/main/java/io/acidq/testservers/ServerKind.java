package io.acidq.testservers;

import java.util.List;
import java.util.stream.Stream;

/** The databases that AcidQ is tested on, with the settings under which its promises hold. */
public enum ServerKind {
    // Plain connections to this machine; the second parameter lets users with a password log in over them.
    MYSQL("MySQL", "jdbc:mysql:", "sslMode=DISABLED&allowPublicKeyRetrieval=true"),
    MARIADB("MariaDB", "jdbc:mariadb:", "sslMode=disable");

    private static final List<String> DURABLE =
            List.of("--innodb-flush-log-at-trx-commit=1", "--sync-binlog=1", "--log-bin=binlog", "--server-id=1");

    /** For a machine of two cores on which much else runs. */
    private static final List<String> SMALL =
            List.of("--innodb-buffer-pool-size=512M", "--max-connections=500", "--character-set-server=utf8mb4");

    /** Tests look at performance_schema.data_locks, which MariaDB lacks. */
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

    /** Options of the server, the same wherever it comes from, and {@code extra} to win over them. */
    List<String> options(List<String> extra) {
        return Stream.of(DURABLE, SMALL, this == MYSQL ? MYSQL_ONLY : List.<String>of(), extra)
                .flatMap(List::stream)
                .toList();
    }

    /** For servers that we start, and for given ones whose URL has no parameters of its own. */
    String urlParameters() {
        return urlParameters;
    }

    /** A server of this kind that we started. */
    TestServer at(String host, int port, String username, String password) {
        String address = scheme + "//" + host + ":" + port + "/";
        return new TestServer(this, address + TestServer.DATABASE + "?" + urlParameters, username, password);
    }
}
