package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.DeadHeadPolicy;
import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Diagnosis.DiagnosisReason;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RateLimit;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeStore;
import io.acidq.store.QueueStore;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why a message does not run: each reason, on a real server. */
@AnyServer(ServerKind.MYSQL)
class MessageDiagnosisIT extends FreshEngineTests {

    private static final String Q = "why";

    private final Semaphore gate = new Semaphore(0);
    private final CountDownLatch inside = new CountDownLatch(1);

    @AfterEach
    void openTheGate() {
        gate.release(10_000);
    }

    @Test
    void reportsGoneForADoneOrUnknownMessage() throws Exception {
        gate.release(1);
        Engine engine = listening(l -> l);
        MessageId done = place("a", options());
        awaitDrained();
        assertThat(engine.why(done).reason()).isEqualTo(DiagnosisReason.GONE);
        assertThat(engine.why(new MessageId(Q, 5, UUID.randomUUID())).reason()).isEqualTo(DiagnosisReason.GONE);
        assertThatThrownBy(() -> engine.why(new MessageId("nosuchqueue", 0, UUID.randomUUID())))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("there is no queue 'nosuchqueue'");
    }

    @Test
    void reportsDoneWhereTheQueueHasAnArchive() throws Exception {
        gate.release(1);
        Engine engine = engine(e -> e.config(EngineConfig.defaults()
                        .withQueue(Q, QueueConfig.defaults().withArchiveRetention(Duration.ofHours(1))))
                .listen(on(Q, this::hold)));
        MessageId done = place("a", options());
        awaitDrained();
        assertThat(engine.why(done).reason()).isEqualTo(DiagnosisReason.DONE);
        assertThat(engine.why(done).facts().at()).isPresent();
    }

    @Test
    void reportsAStrategyThatIgnoresOrderingKeys() throws Exception {
        MessageId ordered = place("a", options().orderingKey("k"));
        Engine engine = engine(e -> e.config(EngineConfig.defaults()
                        .withQueue(Q, QueueConfig.defaults().withClaimStrategy(ClaimStrategy.OPTIMISTIC)))
                .listen(on(Q, this::hold)));
        assertThat(engine.why(ordered).reason()).isEqualTo(DiagnosisReason.STRATEGY_IGNORES_ORDERING_KEYS);
        assertThat(engine.why(ordered).text()).contains("OPTIMISTIC").contains("LANES");
        assertThatThrownBy(() -> transactions.call(() -> engine.queue()
                        .enqueue(Q, new Step("b", 1), options().key("b").onDuplicate(OnDuplicate.replace()))))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("replace and debounce");
    }

    @Test
    void reportsDeadWithItsTimeAndError() throws Exception {
        Engine engine = listen(on(Q, (step, delivery) -> {
                    throw new IllegalStateException("bad address");
                })
                .withRetry(ONE_ATTEMPT));
        MessageId id = place("a", options());
        awaitDrained();
        Diagnosis diagnosis = engine.why(id);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.DEAD);
        assertThat(diagnosis.text()).contains("bad address").contains("after 1 attempt: ");
        assertThat(diagnosis.facts().error().orElseThrow()).contains("bad address");
        assertThat(diagnosis.facts().at().orElseThrow()).isAfter(Instant.now().minus(Duration.ofMinutes(10)));
    }

    @Test
    void reportsRunningBufferedOrClaimedByAnotherNode() throws Exception {
        Engine engine = listening(l -> l.withConcurrency(1));
        MessageId first = place("a", options().orderingKey("k"));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        MessageId second = place("b", options());
        awaitRows("acidq_message WHERE owner <> 0", 2);

        Diagnosis running = engine.why(first);
        assertThat(running.reason()).isEqualTo(DiagnosisReason.RUNNING);
        assertThat(running.text()).contains("it runs here, in node " + engine.node());
        assertThat(engine.why(second).reason()).isEqualTo(DiagnosisReason.UNSTARTED);
        Diagnosis elsewhere = sender().why(first);
        assertThat(elsewhere.reason()).isEqualTo(DiagnosisReason.CLAIMED);
        Diagnosis.Node node = elsewhere.facts().node().orElseThrow();
        assertThat(node.number()).isEqualTo(engine.node());
        assertThat(node.alive()).isTrue();
        assertThat(node.host()).contains("@");
        assertThat(elsewhere.text()).contains("since " + node.since().orElseThrow());
    }

    /** From a process without a listener, by what the node has reported. */
    @Test
    void reportsWhatAnotherNodeHasReported() throws Exception {
        MessageId first = place("a", options());
        MessageId second = place("b", options());
        int node = newNode();
        sql("UPDATE acidq_message SET owner = " + node);
        report(node, List.of(), List.of(new NodeReport.RunningMessage(first, Duration.ofSeconds(90))));

        Diagnosis running = sender().why(first);
        assertThat(running.reason()).isEqualTo(DiagnosisReason.RUNNING);
        assertThat(running.text())
                .startsWith("node " + node)
                .contains("runs it, for PT1M3")
                .contains(" ago");
        assertThat(sender().why(second).reason()).isEqualTo(DiagnosisReason.CLAIMED);

        report(node, List.of("breaker 'warehouse' stops"), List.of());
        Diagnosis unstarted = sender().why(second);
        assertThat(unstarted.reason()).isEqualTo(DiagnosisReason.UNSTARTED);
        assertThat(unstarted.text()).contains("breaker 'warehouse' stops there");
        assertThat(unstarted.facts().guard()).contains("breaker 'warehouse' stops");

        sql("UPDATE acidq_node SET state = 'DEAD'");
        assertThat(sender().why(first).reason()).isEqualTo(DiagnosisReason.ORPHANED);
    }

    @Test
    void reportsAGuardThatStopsTheQueueInEachNode() throws Exception {
        MessageId waiting = place("a", options());
        int node = newNode();
        assertThat(sender().why(waiting).reason()).isEqualTo(DiagnosisReason.READY);

        report(node, List.of("rate limit 'mails' tests"), List.of());
        assertThat(sender().why(waiting).reason()).isEqualTo(DiagnosisReason.READY);
        report(node, List.of("breaker 'warehouse' stops"), List.of());
        Diagnosis guarded = sender().why(waiting);
        assertThat(guarded.reason()).isEqualTo(DiagnosisReason.GUARDED);
        assertThat(guarded.text()).isEqualTo("in node " + node + " breaker 'warehouse' stops");

        newNode();
        assertThat(sender().why(waiting).reason())
                .as("a node without a report may run it")
                .isEqualTo(DiagnosisReason.READY);
    }

    private int newNode() {
        return store.nodes().register(new NodeStore.NodeRow(Map.of(QueueStore.numberOf(Q), 1), "host", "test"));
    }

    private void report(int node, List<String> guards, List<NodeReport.RunningMessage> runs) {
        store.nodes()
                .writeReport(
                        node,
                        new NodeReport(List.of(new NodeReport.ServedQueue(Q, 1, runs.size(), 1, guards, "", runs))));
    }

    /** Takes as long as the time between two reports. */
    @Test
    @Tag("full")
    void aNodeReportsWhatItRunsAndRemovesTheReportAtItsStop() throws Exception {
        Engine engine = listening(l -> l.withConcurrency(1));
        assertThat(rows("acidq_node_report")).as("an idle node reports nothing").isZero();
        MessageId first = place("a", options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();

        awaitRows("acidq_node_report", 1);
        assertThat(sender().why(first).reason()).isEqualTo(DiagnosisReason.RUNNING);
        assertThat(sender().nodes()
                        .list()
                        .get(0)
                        .report()
                        .orElseThrow()
                        .queues()
                        .get(0)
                        .longestRuns())
                .extracting(run -> run.id())
                .containsExactly(first);
        gate.release(1);
        engine.close();
        assertThat(rows("acidq_node_report")).isZero();
    }

    @Test
    void reportsAClaimOfADeadNode() throws Exception {
        MessageId id = place("a", options());
        sql("UPDATE acidq_message SET owner = 77, claim_no = 1, attempts = 1");
        Diagnosis diagnosis = sender().why(id);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.ORPHANED);
        assertThat(diagnosis.text()).contains("node 77").contains("is no longer alive");
        assertThat(diagnosis.facts().node().orElseThrow().alive()).isFalse();
    }

    @Test
    void reportsTheDueTime() throws Exception {
        MessageId id = place("a", options().delay(Duration.ofHours(1)));
        Diagnosis diagnosis = sender().why(id);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.NOT_DUE);
        assertThat(diagnosis.text())
                .contains("it is not due before " + diagnosis.facts().at().orElseThrow());
        assertThat(diagnosis.facts().at().orElseThrow()).isAfter(Instant.now().plus(Duration.ofMinutes(50)));
        served();
        sql("UPDATE acidq_scheduled SET preexec_time = preexec_time - INTERVAL 2 HOUR");
        Diagnosis late = sender().why(id);
        assertThat(late.reason()).isEqualTo(DiagnosisReason.READY);
        assertThat(late.text()).contains("its due time", "has come", "the log of the living nodes");
    }

    @Test
    void tellsTheExpiryOfAMessageThatWaits() throws Exception {
        Engine engine = engine(e -> e);
        MessageId soon = place("a", options().delay(Duration.ofHours(1)).expiresAfter(Duration.ofHours(1)));
        Diagnosis waits = engine.why(soon);
        assertThat(waits.facts().expiresAt()).isPresent();
        assertThat(waits.text()).contains("; it expires at ");
        sql("UPDATE acidq_scheduled SET expires_at = '2020-01-01 00:00:00'");
        assertThat(engine.why(soon).text())
                .contains("; it has expired at 2020-01-01T00:00:00Z, and is ended when a worker takes it");
        assertThat(engine.why(place("b", options())).facts().expiresAt()).isEmpty();
    }

    @Test
    void reportsAPausedQueue() throws Exception {
        Engine engine = listening(l -> l);
        store.queues().openQueue(Q);
        engine.control().pause(Q, new Operator("ann", "a test"));
        MessageId id = place("a", options());
        // snippet:why
        Diagnosis diagnosis = engine.why(id);
        log(diagnosis.reason() + ": "
                + diagnosis.text()); // PAUSED: queue 'why' is paused, until an operator resumes it
        // /snippet
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.PAUSED);
        await("a claim that was under way is given back")
                .untilAsserted(() -> assertThat(sender().why(id)).isEqualTo(diagnosis));
        assertThat(diagnosis.text()).contains("queue 'why' is paused");
    }

    @Test
    void reportsThatNoLivingNodeHasAListener() throws Exception {
        listen("another", (step, delivery) -> Outcome.done());
        Diagnosis diagnosis = sender().why(place("a", options()));
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.NO_LISTENER);
        assertThat(diagnosis.text()).contains("no living node has a listener of queue 'why'");
    }

    @Test
    void reportsTheEarlierMessageOfItsOrderingKeyAndItsNode() throws Exception {
        Engine engine = listening(l -> l);
        MessageId head = place("a", options().orderingKey("k"));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        MessageId follower = place("b", options().orderingKey("k"));
        Diagnosis diagnosis = closed(engine, head, follower);
        assertThat(diagnosis.text()).contains("it is claimed by node " + engine.node());
        assertThat(diagnosis.facts().node().orElseThrow().number()).isEqualTo(engine.node());
        assertThat(closed(sender(), head, follower)).isEqualTo(diagnosis);
    }

    @Test
    void reportsAnEarlierMessageOfItsOrderingKeyInTheBuffer() throws Exception {
        MessageId head = place("a", options().orderingKey("k"));
        MessageId follower = place("b", options().orderingKey("k"));
        Engine engine =
                listening(l -> l.withConcurrency(8)); // with this concurrency it claims several messages of a key
        awaitUntil(() -> engine.why(follower).reason() == DiagnosisReason.UNSTARTED);
        awaitUntil(() -> engine.why(head).reason() == DiagnosisReason.RUNNING);
        Diagnosis diagnosis = engine.why(follower);
        assertThat(diagnosis.facts().closedBy()).contains(head);
        assertThat(diagnosis.text())
                .contains("this engine, node " + engine.node())
                .contains("is before it");
    }

    @Test
    void reportsTheStateOfTheHeadOfItsOrderingKey() throws Exception {
        MessageId head = place("a", options().orderingKey("k"));
        MessageId follower = place("b", options().orderingKey("k"));
        served();
        assertThat(closed(sender(), head, follower).text()).contains("it is ready itself");
        headIs("owner = 77");
        assertThat(closed(sender(), head, follower).text()).contains("claimed by node 77, which is no longer alive");
        headIs("owner = 0, claim_no = 1, preexec_time = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR");
        assertThat(closed(sender(), head, follower).text()).contains("it waits for its next attempt until ");
        assertThat(sender().why(head).reason()).isEqualTo(DiagnosisReason.NOT_DUE);
        assertThat(sender().why(head).text()).contains("holds up its ordering key");
        headIs("preexec_time = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR, crashes = 1");
        assertThat(closed(sender(), head, follower).text()).contains("a suspect");
        headIs("kind = 2");
        assertThat(closed(sender(), head, follower).text()).contains("the first of the parked messages");
        headIs("kind = 1");
        assertThat(closed(sender(), head, follower).text())
                .contains("its place is held until it is replayed, discarded or released");
    }

    @Test
    void reportsTheDeadHeadOfAParkedMessage() throws Exception {
        Engine engine = engine(e -> e.config(EngineConfig.defaults()
                        .withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK)))
                .listen(on(Q, (step, delivery) -> Outcome.dead("poison"))));
        MessageId head = place("a", options().orderingKey("k"));
        MessageId follower = place("b", options().orderingKey("k"));
        awaitUntil(() -> strings("SELECT id FROM acidq_parked").size() == 1);
        assertThat(engine.why(head).reason()).isEqualTo(DiagnosisReason.DEAD);
        assertThat(closed(engine, head, follower).text()).contains("it is dead, and its place is held");
    }

    /** Of two rows the head has the lesser id. */
    private void headIs(String change) {
        sql("UPDATE acidq_message SET " + change + " ORDER BY id LIMIT 1");
    }

    private static Diagnosis closed(Engine engine, MessageId head, MessageId follower) {
        Diagnosis diagnosis = engine.why(follower);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.BEHIND_EARLIER_MESSAGE);
        assertThat(diagnosis.facts().closedBy()).contains(head);
        return diagnosis;
    }

    @Test
    void reportsTheGuardOfThisEngine() throws Exception {
        gate.release(100);
        Engine engine = listening(l -> l.withRateLimit(RateLimit.of(1, Duration.ofDays(1))));
        place("a", options());
        awaitRows("effect", 1);
        MessageId held = place("b", options());
        awaitUntil(() -> engine.why(held).reason() == DiagnosisReason.GUARDED);
        Diagnosis diagnosis = engine.why(held);
        assertThat(diagnosis.text()).contains("in this engine rate limit 'why' stops");
        assertThat(diagnosis.facts().guard().orElseThrow()).startsWith("rate limit 'why' stops");
        assertThat(sender().why(held).reason())
                .as("an engine knows of its own guards only")
                .isEqualTo(DiagnosisReason.READY);
    }

    @Test
    void reportsASuspect() throws Exception {
        MessageId id = place("a", options());
        served();
        sql("UPDATE acidq_message SET crashes = 2");
        Diagnosis diagnosis = sender().why(id);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.SUSPECT);
        assertThat(diagnosis.text()).contains("2 processes crashed while running it");
    }

    @Test
    void reportsHowManyMessagesAreBeforeAReadyOne() throws Exception {
        place("a", options().orderingKey("k"));
        MessageId id = place("b", options().orderingKey("k"));
        sql("UPDATE acidq_message SET order_key = '' ORDER BY id LIMIT 1"); // two keys in one lane
        served();
        Diagnosis diagnosis = sender().why(id);
        assertThat(diagnosis.reason()).isEqualTo(DiagnosisReason.READY);
        assertThat(diagnosis.facts().before()).hasValue(1);
        assertThat(diagnosis.toString()).contains("READY: nothing holds it back");
    }

    /** Registers a living node that does nothing. */
    private void served() {
        sql("INSERT INTO acidq_node (state, workers, host, version, started_at)"
                + " SELECT 'ALIVE', CONCAT(id, ':4'), 'host', 'test', UTC_TIMESTAMP(6) FROM acidq_queue");
    }

    private static void log(String text) {
        assertThat(text).isEqualTo("PAUSED: queue 'why' is paused, until an operator resumes it");
    }

    private Engine listening(UnaryOperator<Listener<Step>> with) {
        return listen(with.apply(on(Q, this::hold)));
    }

    private Outcome hold(Step step, Delivery delivery) throws Exception {
        inside.countDown();
        gate.acquire();
        return effect(step, delivery);
    }

    private MessageId place(String text, EnqueueOptions with) throws Exception {
        return enqueue(Q, new Step(text, 1), with).id();
    }
}
