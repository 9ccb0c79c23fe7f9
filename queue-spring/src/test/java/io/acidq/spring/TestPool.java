package io.acidq.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;

/** A pool over a new, empty database. */
final class TestPool extends HikariDataSource {

    private TestPool(HikariConfig config) {
        super(config);
    }

    static TestPool on(ServerKind kind) {
        return new TestPool(config(kind));
    }

    static TestPool on(ServerKind kind, int connections) {
        HikariConfig config = config(kind);
        config.setMaximumPoolSize(connections);
        return new TestPool(config);
    }

    /** Over the same database. */
    TestPool another() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(getJdbcUrl());
        config.setUsername(getUsername());
        config.setPassword(getPassword());
        config.setMaximumPoolSize(getMaximumPoolSize());
        config.setMinimumIdle(1);
        return new TestPool(config);
    }

    /** Of connections that are in a transaction from the start, as some pools hand them out. */
    static TestPool withoutAutoCommit(ServerKind kind) {
        HikariConfig config = config(kind);
        config.setAutoCommit(false);
        return new TestPool(config);
    }

    private static HikariConfig config(ServerKind kind) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(1);
        return config;
    }
}
