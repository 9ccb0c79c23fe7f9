package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Suspect;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Real processes die of one message, and only that one is quarantined. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class SuspectIT {

    private static final String Q = "deadly";
    private static final int MESSAGES = 60;

    private final ServerKind kind;
    private final Queue<CountedCrash> crashes = new ConcurrentLinkedQueue<>();
    private final Queue<String> quarantined = new ConcurrentLinkedQueue<>();
    private EngineFixture engineFixture;

    SuspectIT(ServerKind kind) {
        this.kind = kind;
    }

    private record CountedCrash(MessageId id, int node, int crashes) {}

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    /** Takes some six seconds: three processes start one after the other, and each death must be noticed before the next. */
    @Test
    void quarantinesTheKillerAloneWhenTenMessagesShareATransaction() throws Exception {
        killThreeProcesses(HandlerOptions.defaults().withTransactionSize(10), 30);
        assertThat(engineFixture.strings("SELECT seq FROM effect"))
                .as("each effect once")
                .hasSize(MESSAGES - 1)
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("full")
    void quarantinesTheKillerAloneInExternalMode() throws Exception {
        killThreeProcesses(HandlerOptions.defaults().withMode(HandlerMode.EXTERNAL), 3);
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT seq) FROM effect"))
                .as("each effect at least once")
                .isEqualTo(MESSAGES - 1);
    }

    /** One that waited for a handler of 25 s let nothing start for as long, with idle workers. */
    @Test
    void goesOnWithoutASuspectThatWaitsForALongHandler() throws Exception {
        CountDownLatch longEnds = new CountDownLatch(1);
        CountDownLatch longRuns = new CountDownLatch(1);
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (step.k().equals("long")) {
                        longRuns.countDown();
                        longEnds.await();
                    }
                    engineFixture.effect(step, delivery.node());
                    return Outcome.done();
                })
                .withConcurrency(4)));
        engineFixture.enqueue(Q, new Step("long", 1), options());
        assertThat(longRuns.await(30, TimeUnit.SECONDS)).isTrue();
        engineFixture.enqueue(Q, new Step("suspect", 1), options().delay(Duration.ofMillis(300)));
        engineFixture.sql("UPDATE acidq_scheduled SET crashes = 1");
        await().until(() ->
                engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE crashes = 1 AND owner <> 0") == 1);
        for (int i = 0; i < 50; i++) {
            engineFixture.enqueue(Q, new Step("others", i), options());
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM effect WHERE k = 'others'") == 50);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect"))
                .as("neither the suspect nor the long one")
                .isEqualTo(50);
        longEnds.countDown();
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(52);
    }

    private void killThreeProcesses(HandlerOptions options, int atOnce) throws Exception {
        MessageId killer = place();
        watch();
        for (int death = 1; death <= 3; death++) {
            int count = death;
            try (CrashingEngineProcess victim = CrashingEngineProcess.start(engineFixture, Q, options)) {
                assertThat(victim.awaitExit()).isTrue();
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> crashes.stream().anyMatch(d -> d.id().equals(killer) && d.crashes() == count));
        }
        runTheRest();

        assertThat(crashes.stream()
                        .filter(d -> d.crashes() == 1)
                        .map(CountedCrash::id)
                        .distinct())
                .as("no more than can have been running")
                .hasSizeLessThanOrEqualTo(atOnce);
        assertThat(crashes.stream().filter(d -> d.crashes() > 1).map(CountedCrash::id))
                .as("the killer ran alone from then on")
                .containsExactly(killer, killer);
        assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                .as("innocents lost no attempt")
                .containsExactly("1");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10))
                .hasSize(1)
                .first()
                .satisfies(d -> tells(d, killer));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_crash WHERE uid = (SELECT uid FROM acidq_dead)"))
                .isZero();
    }

    private void tells(DeadLetter dead, MessageId killer) {
        assertThat(dead.id()).isEqualTo(killer);
        assertThat(dead.crashes()).isEqualTo(3);
        List<String> lines = dead.mark().lines().toList();
        assertThat(lines.get(0)).isEqualTo("killed 3 processes: each ended while it ran this message");
        List<Integer> nodes = crashes.stream()
                .filter(d -> d.id().equals(killer))
                .map(CountedCrash::node)
                .toList();
        assertThat(lines).hasSize(4);
        for (int i = 0; i < 3; i++) {
            assertThat(lines.get(i + 1)).matches("node " + nodes.get(i) + " \\(host \\d+@.+, \\d{4}-.+Z\\)");
        }
        assertThat(quarantined).containsExactly(dead.mark());
    }

    private MessageId place() throws Exception {
        List<NewMessage> messages = LongStream.range(0, MESSAGES)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        return engineFixture
                .transactions
                .call(() -> engineFixture.sender().queue().enqueueAll(Q, messages))
                .get((int) CrashingEngineProcess.KILLER)
                .id();
    }

    /** An engine that outlives the others and runs none of their messages. */
    private void watch() {
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void suspected(MessageId id, int node, int count) {
                        crashes.add(new CountedCrash(id, node, count));
                    }

                    @Override
                    public void quarantined(MessageId id, String cause) {
                        quarantined.add(cause);
                    }
                })
                .listen(Listener.on("quiet", Step.class, (step, delivery) -> Outcome.done())));
    }

    private void runTheRest() {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    CrashingEngineProcess.insert(engineFixture.transactions.connection(), step, delivery);
                    return Outcome.done();
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1))));
        engineFixture.drained();
    }

    @Test
    void showsTheMessageOnProbation() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        MessageId id = engineFixture
                .enqueue(Q, new Step("m", 1), io.acidq.EnqueueOptions.options())
                .id();
        engineFixture.sql("UPDATE acidq_message SET crashes = 1");
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
            inside.countDown();
            go.await();
            return Outcome.done();
        })));
        inside.await();
        assertThat(engine.queues().get(0).suspect()).contains(new Suspect(id, 1, true));
        go.countDown();
        engineFixture.drained();
        await().until(() -> engine.queues().get(0).suspect().isEmpty());
    }
}
