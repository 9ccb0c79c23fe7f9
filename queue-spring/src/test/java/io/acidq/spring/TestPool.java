package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.JdbcTemplate;

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

    /** Creates another pool over the same database. */
    TestPool another() {
        return another("");
    }

    /** Creates another pool over the same database, with more options in its URL. */
    TestPool another(String options) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(getJdbcUrl() + (getJdbcUrl().contains("?") ? "&" : "?") + options);
        config.setUsername(getUsername());
        config.setPassword(getPassword());
        config.setMaximumPoolSize(getMaximumPoolSize());
        config.setMinimumIdle(1);
        return new TestPool(config);
    }

    /** Creates a pool whose connections are not in autocommit mode. */
    static TestPool withoutAutoCommit(ServerKind kind) {
        HikariConfig config = config(kind);
        config.setAutoCommit(false);
        return new TestPool(config);
    }

    /** Creates the table for {@link #becomeDeadlockVictim}. */
    void createStock() {
        JdbcTemplate jdbc = new JdbcTemplate(this);
        jdbc.execute("CREATE TABLE stock (id INT PRIMARY KEY, amount INT NOT NULL)");
        jdbc.batchUpdate(
                "INSERT INTO stock VALUES (?, 0)",
                IntStream.rangeClosed(1, 200).mapToObj(i -> new Object[] {i}).toList());
    }

    /** Makes the transaction on this thread the victim of a deadlock, and swallows the exception. */
    void becomeDeadlockVictim() {
        JdbcTemplate jdbc = new JdbcTemplate(this);
        CountDownLatch otherHolds = new CountDownLatch(1);
        CountDownLatch victimHolds = new CountDownLatch(1);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            try (Connection connection = getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("UPDATE stock SET amount = amount + 1 WHERE id >= 2"); // heavier, so not the victim
                otherHolds.countDown();
                await(victimHolds);
                statement.execute("UPDATE stock SET amount = amount + 1 WHERE id = 1");
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        await(otherHolds);
        jdbc.update("UPDATE stock SET amount = amount + 1 WHERE id = 1");
        victimHolds.countDown();
        assertThatThrownBy(() -> jdbc.update("UPDATE stock SET amount = amount + 1 WHERE id = 2"))
                .rootCause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1213));
        other.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
