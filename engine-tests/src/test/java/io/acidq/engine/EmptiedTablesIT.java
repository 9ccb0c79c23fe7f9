package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.DeadHeadPolicy;
import io.acidq.Enqueued;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.mybatis.Schema;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables are emptied or created again while processes use them. */
@AnyServer(ServerKind.MYSQL)
class EmptiedTablesIT extends FreshEngineTests {

    private static final String Q = "emptied";

    private final RecordedTelemetry telemetry = new RecordedTelemetry();

    private List<String> tables() {
        return strings("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
                + " AND table_name LIKE 'acidq\\_%' AND table_name <> 'acidq_schema'");
    }

    private void truncateAll() {
        tables().forEach(table -> sql("TRUNCATE TABLE " + table));
    }

    private void awaitMissing(String rows) {
        awaitUntil(
                () -> telemetry.incidents.stream().anyMatch(text -> text.startsWith("missing") && text.contains(rows)));
    }

    private Engine listening() {
        return engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.BLOCK)))
                .listen(on(Q, this::effect))
                .telemetry(telemetry));
    }

    @Test
    void registersAgainAndRunsMessagesWithoutARestart() {
        Engine engine = listening();
        enqueueOrdered(Q, "before", 1);
        awaitUntil(() -> effects() == 1);

        truncateAll();
        place(Q, 1, 20);
        enqueueOrdered(Q, "after", 1);
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(1)));

        awaitUntil(() -> effects() == 23);
        awaitMissing("queue 'emptied' in acidq_"); // its row, or its lanes if a read fell between the statements
        awaitMissing("(this engine) in acidq_node");
        assertThat(telemetry.declaredDead).isEmpty();
        awaitUntil(() -> strings("SELECT id FROM acidq_node WHERE state = 'ALIVE'")
                .equals(List.of(String.valueOf(engine.node()))));
        awaitUntil(() -> strings("SELECT on_dead_head FROM acidq_queue").equals(List.of("BLOCK")));
    }

    @Test
    void continuesWhenTheTablesWereDroppedAndCreatedAgain() {
        listening();
        enqueue(Q, new Step("before", 1));
        awaitUntil(() -> effects() == 1);

        tables().forEach(table -> sql("DROP TABLE " + table));
        Schema.create(pool);
        place(Q, 1, 20);

        awaitUntil(() -> effects() == 21);
    }

    /** What was published afterwards was stored nowhere until the next start. */
    @Test
    void addsTheSubscriptionsOfItsListenersAgain() {
        engine(e -> e.config(QUICK)
                .listen(Listener.onTopic("emptied", "all", Step.class, this::effect))
                .telemetry(telemetry));
        truncateAll();
        awaitMissing("queue 'emptied/all' in acidq_");

        transactions.run(() -> queue().publish("emptied", new Step("after", 1)));

        awaitUntil(() -> effects() == 1);
    }

    @Test
    void addsTheRecurringMessagesThatItDeclaresAgain() {
        engine(e -> e.config(QUICK)
                .recurring(Recurring.message("often", Schedule.every(Duration.ofMillis(100)), Q)
                        .withPayload(new Step("tick", 1)))
                .listen(on(Q, this::effect))
                .telemetry(telemetry));
        truncateAll();
        awaitUntil(() -> rows("acidq_recurring") == 1);
        long before = effects();
        awaitUntil(() -> effects() > before);
    }

    /** As if the tables had been emptied, and the second engine had received the number of the first one. */
    @Test
    void doesNotUseTheNodeOfAnotherEngineOfItsProcess() {
        Engine first = listening();
        Engine second = listening();
        int firstNode = first.node();
        int secondNode = second.node();
        sql("DELETE FROM acidq_node WHERE id = " + firstNode);
        sql("UPDATE acidq_node SET id = " + firstNode + " WHERE id = " + secondNode);

        awaitUntil(() -> telemetry.incidents.size() >= 2);

        assertThat(telemetry.incidents)
                .containsExactlyInAnyOrder(
                        "missing: node " + firstNode + " (this engine) in acidq_node",
                        "missing: node " + secondNode + " (this engine) in acidq_node");
        awaitUntil(() -> first.node() > secondNode && second.node() > secondNode);
        assertThat(first.node()).isNotEqualTo(second.node());
    }

    @Test
    void runsMessagesOfAProcessThatOnlySendsWhenAListenerStarts() {
        store.queues().openQueue("other");
        enqueue(Q, new Step("before", 1)); // the process has read the row of the queue
        truncateAll();

        place(Q, 1, 20);
        enqueueOrdered(Q, "after", 1);
        assertThat(rows("acidq_queue")).isZero();

        listening();
        awaitUntil(() -> effects() == 21);
    }

    @Test
    void opensItsQueuesAgainWhenAStoppedEngineStarts() {
        store.queues().openQueue("other");
        Engine engine = listening();
        engine.stop(Duration.ofSeconds(10));
        truncateAll();
        place(Q, 1, 20);

        engine.start();
        awaitUntil(() -> effects() == 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acidq_queue", "acidq_lane", "acidq_node"})
    void addsTheRowsOfASingleTableAgain(String table) {
        listening();
        enqueueOrdered(Q, "before", 1);
        awaitUntil(() -> effects() == 1);

        sql("TRUNCATE TABLE " + table);
        place(Q, 1, 20);
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(1)));

        awaitUntil(() -> effects() == 22);
        awaitUntil(() -> rows(table) > 0);
        awaitMissing(" in " + table);
    }

    @Test
    void addsDirectLanesAgain() {
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withDirectHandoff(true)))
                .listen(on(Q, this::effect))
                .telemetry(telemetry));
        sql("DELETE FROM acidq_lane WHERE lane >= 64");
        awaitRows("acidq_lane", QueueStore.LANES + QueueStore.DIRECT_LANES);
        awaitMissing("8 lanes of queue 'emptied' in acidq_lane");
    }

    /** Another node had the number before the tables were emptied. Its running numbers of claims say nothing about those of this node. */
    @Test
    void requeuesTheClaimsOfAnEarlierNodeWithItsNumber() {
        Engine engine = listening();
        QueueRow queue = store.queues().openQueue(Q);
        sql("UPDATE acidq_lane SET claimed_to = 1000000");
        sql(
                "INSERT INTO acidq_message (queue, lane, uid, owner, claim_no, attempts, batch, enqueued_at, preexec_time, type,"
                        + " headers, size, payload) SELECT " + queue.id() + ", 1, UNHEX(REPLACE('" + UUID.randomUUID()
                        + "', '-', '')), " + engine.node() + ", 1, 1, 1000000, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), '"
                        + Step.class.getSimpleName() + "', '', 18, '{\"k\":\"m\",\"seq\":1}'");
        awaitUntil(() -> effects() == 1);
    }

    @Test
    void tellsAnOperatorThatTheQueueIsGone() {
        Enqueued enqueued = enqueue(Q, new Step("before", 1));
        truncateAll();
        assertThatThrownBy(() -> sender().control().pause(Q, new Operator("ann", "why not")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("there is no queue 'emptied'");
        assertThatThrownBy(() -> sender().why(enqueued.id())).isInstanceOf(QueueMisuseException.class);
    }
}
