package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.devdb.DevDatabase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerIT {

    @Test
    void runsItsQueuesUntilItIsToldToStopAndLeavesInGoodOrder() throws Exception {
        try (DevDatabase database = DevDatabase.start();
                HikariDataSource pool = pool(database)) {
            Schema.create(pool);
            try (Connection connection = pool.getConnection()) {
                Books.create(connection);
            }
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine sender =
                    Engine.builder(MyBatisStore.over(pool, transactions)).build();
            transactions.run(() -> sender.queue().enqueue("invoice.sent", new Invoice(1, "Ada", 100)));
            transactions.run(() -> sender.queue().enqueue("invoice.due", new Invoice(2, "Bob", 200)));
            Process worker = start(database);
            try (BufferedReader said = worker.inputReader()) {
                assertThat(said.readLine()).matches("node \\d+ runs \\[invoice.sent, invoice.due\\]");
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (number(pool, "SELECT COUNT(*) FROM ledger") < 2 && System.nanoTime() < deadline) {
                    assertThat(worker.isAlive()).isTrue();
                }
                worker.destroy();
                assertThat(worker.waitFor(1, TimeUnit.MINUTES)).isTrue();
            } finally {
                worker.destroyForcibly();
            }
            assertThat(worker.exitValue()).isEqualTo(143);
            assertThat(number(pool, "SELECT COUNT(*) FROM ledger")).isEqualTo(2);
            assertThat(number(pool, "SELECT COUNT(*) FROM acidq_node WHERE state = 'STOPPED'"))
                    .isEqualTo(1);
        }
    }

    private static Process start(DevDatabase database) throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                "invoice.sent:invoice.due");
        command.environment().put("ACIDQ_URL", database.jdbcUrl());
        command.environment().put("ACIDQ_USER", database.username());
        command.environment().put("ACIDQ_PASSWORD", database.password());
        return command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static long number(HikariDataSource pool, String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static HikariDataSource pool(DevDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        return new HikariDataSource(config);
    }
}
