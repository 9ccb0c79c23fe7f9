package io.acidq.cli;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.Backlog;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SQL of docs/en/failure-modes.md returns the numbers of the engine, which {@code acidq queues} shows. */
class FailureModesIT {

    private static final Path PAGE = Path.of("..", "docs", "en", "failure-modes.md");
    private static final String UID_OF_THE_PAGE = "01938f3e-5f60-7000-8000-000000000001";

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void agreesWithTheEngineAndFindsParkedMessages(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        DirectDataSource direct = new DirectDataSource(database.jdbcUrl(), database.username(), database.password());
        Schema.create(direct);
        EngineConfig config = EngineConfig.defaults()
                .withQueue("park", QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK))
                .withQueue("block", QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.BLOCK));
        try (Engine engine = Engine.builder(MyBatisStore.over(direct, new JdbcTransactions(direct)))
                .config(config)
                .listen(Listener.on("park", String.class, (message, delivery) -> Outcome.dead("poison")))
                .listen(Listener.on("block", String.class, (message, delivery) -> Outcome.dead("poison")))
                .build()) {
            JdbcTransactions transactions = new JdbcTransactions(direct);
            Engine sender = Engine.builder(MyBatisStore.over(direct, transactions))
                    .config(config)
                    .build();
            MessageId last = transactions.call(() -> {
                fill(sender, "block");
                return fill(sender, "park");
            });
            transactions.run(
                    () -> sender.queue().enqueue("empty", "later", options().delay(Duration.ofHours(1))));
            try (Connection connection = direct.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String queue : new String[] {"park", "block", "empty"}) {
                    assertOverview(statement, sender.backlog(queue));
                }
                engine.start();
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> engine.backlog("block").dead() == 1
                                && engine.backlog("park").dead() == 1
                                && found(statement, last).equals("acidq_parked"));
                engine.stop(Duration.ofSeconds(10));

                for (String queue : new String[] {"park", "block", "empty"}) {
                    assertOverview(statement, sender.backlog(queue));
                }
                assertThat(sender.backlog("park").ready()).isEqualTo(2);
                MessageId dead = sender.deadLetters().list("park", 1).get(0).id();
                assertThat(found(statement, dead)).as("and no marker").isEqualTo("acidq_dead");
            }
        }
    }

    private static MessageId fill(Engine sender, String queue) {
        MessageId last = null;
        for (int i = 0; i < 3; i++) {
            last = sender.queue()
                    .enqueue(queue, "message " + i, options().orderingKey("k"))
                    .id();
        }
        return last;
    }

    private static void assertOverview(Statement statement, Backlog backlog) throws Exception {
        try (ResultSet row = statement.executeQuery(block(0)[0])) {
            while (row.next()) {
                if (row.getString("name").equals(backlog.queue())) {
                    Optional<Duration> oldest = Optional.ofNullable((Number) row.getObject("oldest_seconds"))
                            .map(seconds -> Duration.ofSeconds(seconds.longValue()));
                    assertThat(new Backlog(
                                    backlog.queue(),
                                    row.getInt("ready"),
                                    row.getInt("running"),
                                    row.getInt("waiting"),
                                    row.getInt("scheduled"),
                                    row.getInt("dead"),
                                    backlog.high(),
                                    backlog.low(),
                                    backlog.oldest()))
                            .isEqualTo(backlog);
                    assertThat(oldest.isPresent()).isEqualTo(backlog.oldest().isPresent());
                    return;
                }
            }
        }
        throw new AssertionError("no row of " + backlog.queue());
    }

    /** Returns the tables that contain the message. */
    private static String found(Statement statement, MessageId id) throws Exception {
        String[] find = block(1);
        statement.execute(find[0].replace(UID_OF_THE_PAGE, id.uid().toString()));
        StringBuilder places = new StringBuilder();
        try (ResultSet row = statement.executeQuery(find[1].replace("order.placed", id.queue()))) {
            while (row.next()) {
                places.append(row.getString("place"));
            }
        }
        return places.toString();
    }

    /** Returns the statements of one SQL block of the page. */
    private static String[] block(int number) throws IOException {
        return Files.readString(PAGE)
                .split("```sql\n")[number + 1]
                .split("```", 2)[0]
                .split(";\\s*");
    }
}
