package io.acidq.codec;

import io.acidq.store.Claim;
import io.github.resilience4j.core.IntervalFunction;
import java.sql.Connection;
import java.time.Instant;
import java.util.UUID;

/** Depends on another package of its level, on JDBC outside the port, on Resilience4j outside its package, and on the wall clock. */
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
