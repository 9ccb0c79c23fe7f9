package io.acidq.testservers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A database for one test. It is deleted with the server, or at the end of this JVM, so tests need not drop it. */
public record TestDatabase(TestServer server, String name) {
    /** The prefix of the databases of this JVM, and of no others. */
    private static final String PREFIX =
            "acidq_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12) + "_";

    private static final AtomicInteger COUNT = new AtomicInteger();

    static String freshName() {
        return PREFIX + COUNT.incrementAndGet();
    }

    /** Cleans up a server that outlives this JVM. */
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

    /** Opens a connection as the administrator. */
    public Connection connect() throws SQLException {
        return server.connect(name);
    }

    public void drop() {
        server.execute("DROP DATABASE IF EXISTS " + name);
    }
}
