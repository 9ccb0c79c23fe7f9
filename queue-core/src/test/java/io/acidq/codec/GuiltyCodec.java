package io.acidq.codec;

import io.acidq.store.Claim;
import io.github.resilience4j.core.IntervalFunction;
import java.sql.Connection;
import java.time.Instant;
import java.util.UUID;

/** A class that knows a neighbour, JDBC outside the port, Resilience4j outside its package, and the wall clock. */
class GuiltyCodec {
    Claim claim = new Claim(0, 0, 0, new UUID(0, 0), 0, 0);
    Instant now = Instant.now();
    long millis = System.currentTimeMillis();

    boolean open(Connection connection) throws java.sql.SQLException {
        return !connection.isClosed();
    }

    IntervalFunction interval() {
        return IntervalFunction.of(1);
    }
}
