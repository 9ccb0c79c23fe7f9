package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerIT {

    @Test
    void runsItsQueuesUntilItIsStoppedAndSignsOff() throws Exception {
        TestDatabase database = TestServers.get(ServerKind.MARIADB).createDatabase();
        enqueueOnEachQueue(database);
        Process worker = start(database);
        try (BufferedReader output = worker.inputReader()) {
            assertThat(output.readLine()).matches("node \\d+ runs \\[invoice.sent, invoice.due\\]");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (database.count("ledger") < 2 && System.nanoTime() < deadline) {
                assertThat(worker.isAlive()).isTrue();
            }
            worker.destroy();
            assertThat(worker.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            worker.destroyForcibly();
        }
        assertThat(worker.exitValue()).isEqualTo(143);
        assertThat(database.count("ledger")).isEqualTo(2);
        assertThat(database.count("acidq_node WHERE state = 'STOPPED'")).isEqualTo(1);
    }

    private static void enqueueOnEachQueue(TestDatabase database) throws Exception {
        try (HikariDataSource pool = PlainJava.open(database.jdbcUrl(), database.username(), database.password())) {
            Schema.create(pool);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine sender =
                    Engine.builder(MyBatisStore.over(pool, transactions)).build();
            transactions.run(() -> sender.queue().enqueue("invoice.sent", new Invoice(1, "Ada", 100)));
            transactions.run(() -> sender.queue().enqueue("invoice.due", new Invoice(2, "Bob", 200)));
        }
    }

    private static Process start(TestDatabase database) throws Exception {
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
}
