package io.acidq.testservers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A database of a test's own. It need not be dropped: it goes with the server, or at the end of this JVM. */
public record TestDatabase(TestServer server, String name) {
    /** Of all databases that this JVM creates, and of no others. */
    private static final String PREFIX =
            "acidq_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12) + "_";

    private static final AtomicInteger COUNT = new AtomicInteger();

    static String freshName() {
        return PREFIX + COUNT.incrementAndGet();
    }

    /** For a server that is not ours to throw away. */
    static void dropAllOfThisJvm(TestServer server) {
        for (int number = 1; number <= COUNT.get(); number++) {
            new TestDatabase(server, PREFIX + number).drop();
        }
    }

    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    public String username() {
        return server.username();
    }

    public String password() {
        return server.password();
    }

    /** A new connection as the administrator. */
    public Connection connect() throws SQLException {
        return server.connect(name);
    }

    public void drop() {
        server.execute("DROP DATABASE IF EXISTS " + name);
    }
}
