package io.acidq.chaos;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.TransientQueueException;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.Operator;
import io.acidq.chaos.environment.TargetServer;
import io.acidq.chaos.proxy.ConnectionBreaks;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ReplicatedPair;
import io.acidq.testservers.ReplicatedPair.ReplicationMode;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A failover also loses keys, pauses and operators' actions. One engine runs through the failover. */
class FailoverLossIT {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String WORK = "work";
    private static final String HELD = "held";

    private volatile boolean cured;
    private JdbcTransactions transactions;
    private Engine engine;

    /** A payload. */
    record Job(String name) {}

    @Test
    void takesBackTheKeyThePauseAndTheReplayThatTheReplicaHadNotReceived() throws Exception {
        try (ReplicatedPair pair = TestServers.startReplicated(ReplicationMode.ASYNCHRONOUS);
                PacketProxy address = PacketProxy.before(prepare(pair), new ConnectionBreaks());
                HikariDataSource pool = new DatabaseLogin(
                                TargetServer.on(pair.source()).through(address.port()), "chaos", "chaos")
                        .pool(10);
                Engine started = start(pool)) {
            engine = started;
            TestServer source = pair.source().server();
            TestServer replica = pair.replica().server();
            enqueue(HELD, "first", options());
            MessageId failing = enqueue(WORK, "failing", options()).id();
            await().atMost(LONG)
                    .until(() -> deadLetters(WORK).equals(List.of(failing))
                            && effects(source).size() == 1);
            awaitAll(source, replica);

            pair.cutReplication();
            cured = true;
            assertThat(engine.deadLetters().replay(failing, new Operator("ann", "it is cured")))
                    .isTrue();
            MessageId lost = enqueue(WORK, "keyed", options().key("k")).id();
            await().atMost(LONG).until(() -> effects(source).equals(List.of("failing", "first", "keyed")));
            assertThat(engine.control().pause(HELD, new Operator("ann", "for the tail")))
                    .isTrue();
            assertThat(enqueue(WORK, "keyed", options().key("k")).isDuplicate()).isTrue();
            pair.source().kill();
            pair.promote();
            assertThat(effects(replica)).containsExactly("first");
            address.moveTo(TargetServer.on(pair.replica()).address());

            Enqueued again = again(() -> enqueue(WORK, "keyed", options().key("k")));
            assertThat(again.isAdded()).as("the key is free").isTrue();
            assertThat(again.id()).isNotEqualTo(lost);
            assertThat(again(() -> engine.control().isPaused(HELD)))
                    .isFalse(); // may get a connection to the old server
            enqueue(HELD, "second", options());
            await().atMost(LONG).until(() -> effects(replica).equals(List.of("first", "keyed", "second")));
            assertThat(deadLetters(WORK)).as("dead again").containsExactly(failing);
            assertThat(engine.deadLetters().replay(failing, new Operator("ann", "it is cured")))
                    .isTrue();
            assertThat(engine.deadLetters().replay(failing, new Operator("ann", "it is cured")))
                    .isFalse();
            await().atMost(LONG)
                    .until(() -> rows(replica, "SELECT uid FROM acidq_message").isEmpty());
            assertThat(effects(replica)).containsExactly("failing", "first", "keyed", "second");
            assertThat(deadLetters(WORK)).isEmpty();
            assertThat(rows(replica, "SELECT action FROM acidq_audit")).containsExactly("replay");
        }
    }

    private static InetSocketAddress prepare(ReplicatedPair pair) {
        InetSocketAddress address = TargetServer.prepare(pair.source()).address();
        pair.source()
                .server()
                .execute("CREATE TABLE chaos.effect (name VARCHAR(20) NOT NULL, KEY (name)) ENGINE=InnoDB");
        return address;
    }

    private Engine start(HikariDataSource pool) {
        Schema.create(pool);
        transactions = new JdbcTransactions(pool);
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, transactions));
        for (String queue : List.of(WORK, HELD)) {
            builder.listen(Listener.on(queue, Job.class, (job, delivery) -> {
                        if (job.name().equals("failing") && !cured) {
                            throw new IllegalStateException("not cured");
                        }
                        insert("INSERT INTO effect VALUES ('" + job.name() + "')");
                        return Outcome.done();
                    })
                    .withRetry(RetryPolicy.defaults().withMaxAttempts(1)));
        }
        Engine built = builder.build();
        built.start();
        return built;
    }

    private void insert(String sql) throws SQLException {
        try (Statement statement = transactions.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private Enqueued enqueue(String queue, String name, EnqueueOptions options) throws Exception {
        return transactions.call(() -> engine.queue().enqueue(queue, new Job(name), options));
    }

    /** Repeats a call until a server is available. */
    private static <T> T again(Callable<T> call) {
        return await().atMost(LONG)
                .ignoreException(TransientQueueException.class)
                .until(call, answer -> true);
    }

    private List<MessageId> deadLetters(String queue) {
        return engine.deadLetters().list(queue, 10).stream().map(DeadLetter::id).toList();
    }

    private static List<String> effects(TestServer server) throws SQLException {
        return rows(server, "SELECT name FROM effect ORDER BY name");
    }

    /** Waits until the replica has everything that the source has now. */
    private static void awaitAll(TestServer source, TestServer replica) throws SQLException {
        String all = rows(source, "SELECT @@GLOBAL.gtid_executed").get(0);
        await().atMost(LONG)
                .until(() -> rows(replica, "SELECT GTID_SUBSET('" + all + "', @@GLOBAL.gtid_executed)")
                        .equals(List.of("1")));
    }

    private static List<String> rows(TestServer server, String query) throws SQLException {
        try (Connection connection = server.connect("chaos");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }
}
