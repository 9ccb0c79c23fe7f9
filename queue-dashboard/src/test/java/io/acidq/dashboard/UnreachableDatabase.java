package io.acidq.dashboard;

import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A database that does not answer, and counts who asks: a request that is refused must not ask. */
final class UnreachableDatabase implements TestDataSource {

    private final AtomicInteger asked = new AtomicInteger();

    Engine engine() {
        return Engine.builder(MyBatisStore.over(this)).build();
    }

    int asked() {
        return asked.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        asked.incrementAndGet();
        throw new SQLNonTransientConnectionException("nobody answers", "08001");
    }
}
