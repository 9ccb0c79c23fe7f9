package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.examples.plain.MovingIn.Counts;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The unfinished rows of the five queue tables that the project started from become messages, each once. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class MovingInIT {

    private final TestDatabase database;
    private final HikariDataSource pool = new HikariDataSource();
    private final JdbcTransactions transactions = new JdbcTransactions(pool);
    private final MovingIn moving;

    MovingInIT(ServerKind kind) {
        database = TestServers.get(kind).createDatabase();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setUsername(database.username());
        pool.setPassword(database.password());
        Schema.create(pool);
        Engine engine = Engine.builder(MyBatisStore.over(pool, transactions)).build();
        moving = new MovingIn(transactions, engine.queue());
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void movesQueue() throws Exception {
        database.execute(OldDdl.QUEUE);
        database.execute(
                "INSERT INTO queue (biz, conn_id, status, data_string, times, update_times) VALUES ('order', 0, 'n', 'waits', 0, NOW()),"
                        + " ('order', 17, 'run', 'ran', 1, NOW()), ('order', 17, 'y', 'done', 1, NOW()), ('mail', 0, 'n', 'other', 0, NOW())");

        assertThat(moving.move(OldTable.QUEUE)).isEqualTo(new Counts(3, 0, List.of()));
        assertThat(moving.move(OldTable.QUEUE)).isEqualTo(new Counts(0, 0, List.of()));

        assertThat(database.strings("SELECT data_string FROM queue")).containsExactly("done");
        assertThat(messages())
                .containsExactlyInAnyOrder(
                        "order queue:1 \"waits\"", "order queue:2 \"ran\"", "mail queue:4 \"other\"");
        assertThat(run("order", String.class, 2)).containsExactlyInAnyOrder("waits", "ran");
    }

    @Test
    void movesMessageQueueInPiecesAndNoRowTwiceWhenTwoMoveAtOnce() throws Exception {
        database.execute(OldDdl.MESSAGE_QUEUE);
        database.execute(
                "INSERT INTO message_queue (owner, dequeued_time, message) VALUES (NULL, NULL, 'm'), ('a:1', NOW(), 'm')");
        for (int rows = 2; rows < 1200; rows *= 2) {
            database.execute("INSERT INTO message_queue (message) SELECT message FROM message_queue");
        }
        CompletableFuture<Counts> other = CompletableFuture.supplyAsync(this::moveMessageQueue);
        int mine = moveMessageQueue().moved();

        assertThat(mine + other.join().moved()).isEqualTo(2048);
        assertThat(database.count("message_queue")).isZero();
        assertThat(database.strings("SELECT COUNT(DISTINCT p_key) FROM acidq_message"))
                .containsExactly("2048");
        assertThat(database.count("acidq_message")).isEqualTo(2048);
    }

    @Test
    void movesJobQueue() throws Exception {
        database.execute(OldDdl.JOB_QUEUE);
        database.execute(
                "INSERT INTO job_queue (status, data, batch_id) VALUES (0, 'waits', NULL), (1, 'ran', 77), (2, 'done', 76)");

        assertThat(moving.move(OldTable.JOB_QUEUE)).isEqualTo(new Counts(2, 0, List.of()));

        assertThat(database.strings("SELECT data FROM job_queue")).containsExactly("done");
        assertThat(run("jobs", String.class, 2)).containsExactlyInAnyOrder("waits", "ran");
    }

    @Test
    void movesUnsentEmails() throws Exception {
        database.execute(OldDdl.UNSENT_EMAILS);
        database.execute(
                "INSERT INTO unsent_emails (status, owner, ts, address, body) VALUES ('unsent', 0, NOW(), 'a@example.org', 'A'),"
                        + " ('claimed', 31, NOW(), 'b@example.org', 'B'), ('sent', 31, NOW(), 'c@example.org', 'C')");

        assertThat(moving.move(OldTable.UNSENT_EMAILS)).isEqualTo(new Counts(2, 0, List.of()));

        assertThat(database.strings("SELECT address FROM unsent_emails")).containsExactly("c@example.org");
        assertThat(run("email", OldTable.Email.class, 2))
                .containsExactlyInAnyOrder(
                        "unsent Email[address=a@example.org, body=A]", "claimed Email[address=b@example.org, body=B]");
    }

    @Test
    void movesComomQueueAfterAnUnknownCallbackWasNamed() throws Exception {
        database.execute(OldDdl.COMOM_QUEUE);
        database.execute(
                "INSERT INTO comom_queue (type, conn_id, param_content, callback, status, create_time, update_time, preexec_time, p_key, mark)"
                        + " VALUES ('order', 0, 'new', 'OrderService::close', 0, NOW(), NOW(), NOW(), 'order-1', ''),"
                        + " ('order', 9, 'ran', 'OrderService::close', 1, NOW(), NOW(), NOW(), NULL, ''),"
                        + " ('order', 9, 'done', 'OrderService::close', 2, NOW(), NOW(), NOW(), 'order-3', ''),"
                        + " ('order', 9, 'failed', 'OrderService::close', 3, NOW(), NOW(), NOW(), 'order-4', 'timeout'),"
                        + " ('mail', 9, 'again', 'MailService::send', 4, NOW(), NOW(), NOW() + INTERVAL 1 DAY, 'mail-5', 'refused'),"
                        + " ('order', 0, 'twice', 'OrderService::close', 0, NOW(), NOW(), NOW(), 'order-1', ''),"
                        + " ('evil', 0, 'x', 'Runtime::exec', 0, NOW(), NOW(), NOW(), NULL, '')");

        assertThatThrownBy(() -> moving.move(OldTable.COMOM_QUEUE))
                .hasMessageContainingAll("comom_queue 7", "Runtime::exec");
        assertThat(messages()).as("all of the piece, or nothing").isEmpty();
        database.execute("DELETE FROM comom_queue WHERE id = 7");
        assertThat(moving.move(OldTable.COMOM_QUEUE)).isEqualTo(new Counts(3, 1, List.of()));
        assertThat(moving.move(OldTable.COMOM_QUEUE)).isEqualTo(new Counts(0, 1, List.of()));

        assertThat(database.strings("SELECT param_content FROM comom_queue ORDER BY id"))
                .containsExactly("done", "failed", "twice");
        assertThat(messages())
                .containsExactlyInAnyOrder("order.close order-1 \"new\"", "order.close comom_queue:2 \"ran\"");
        assertThat(database.strings(
                        "SELECT CONCAT(p_key, ' ', TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP(6), preexec_time), ' ', headers)"
                                + " FROM acidq_scheduled"))
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("mail-5 23 ").contains("refused"));
    }

    private Counts moveMessageQueue() {
        try {
            return moving.move(OldTable.MESSAGE_QUEUE);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns what a listener of the queue receives. */
    private <T> Queue<String> run(String queue, Class<T> type, int expected) throws Exception {
        Queue<String> got = new ConcurrentLinkedQueue<>();
        Engine worker = Engine.builder(MyBatisStore.over(pool, transactions))
                .listen(Listener.on(queue, type, (payload, delivery) -> {
                    got.add(was(delivery) + payload);
                    return Outcome.done();
                }))
                .build();
        try (worker) {
            worker.start();
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (got.size() < expected && System.nanoTime() < deadline) {
                database.strings("SELECT 1");
            }
        }
        return got;
    }

    private static String was(Delivery delivery) {
        String was = delivery.headers().get("was");
        return was == null ? "" : was + " ";
    }

    private List<String> messages() {
        return database.strings(
                "SELECT CONCAT(q.name, ' ', m.p_key, ' ', m.payload) FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue");
    }
}
