package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What each outcome and each rule of a retry policy leaves in the tables, on a real server. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class RetryIT {

    private static final String Q = "retried";
    private static final RetryPolicy SOON = RetryPolicy.defaults().withFixedBackoff(Duration.ofMillis(5));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerKind kind;
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    private EngineFixture engineFixture;

    RetryIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    @Test
    void putsASnoozedMessageOffWithoutCountingAnAttemptOrKeepingItsEffects() throws Exception {
        listen(SOON, (step, delivery) -> {
            effect(step, delivery);
            return Outcome.snooze(Duration.ofDays(1), "not open yet");
        });
        engineFixture.enqueue(Q, new Step("ordered", 1), options().orderingKey("o"));
        engineFixture.enqueue(Q, new Step("plain", 1), options());
        await().atMost(PATIENCE).until(() -> outcomes.size() == 2);
        assertThat(outcomes).allMatch(Outcome.Snooze.class::isInstance);
        String state = "SELECT CONCAT(claim_no, '/', attempts, '/',"
                + " TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP(6), preexec_time)) FROM ";
        assertThat(engineFixture.strings(state + "acidq_message WHERE owner = 0"))
                .as("in the place of its key")
                .containsExactly("1/0/23");
        assertThat(engineFixture.strings(state + "acidq_scheduled")).containsExactly("1/0/23");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
    }

    @Test
    void runsASnoozedMessageWithItsAttemptsLeftAndKeepsTheOrderOfItsKey() throws Exception {
        for (int i = 0; i < 4; i++) {
            listen(SOON.withMaxAttempts(1), (step, delivery) -> {
                assertThat(delivery.attempt()).isEqualTo(1);
                return step.seq() == 1 && delivery.claimNo() < 4
                        ? Outcome.snooze(Duration.ofMillis(20))
                        : effect(step, delivery);
            });
        }
        engineFixture.transactions.call(() -> engineFixture
                .sender()
                .queue()
                .enqueueAll(
                        Q,
                        LongStream.rangeClosed(1, 20)
                                .mapToObj(seq -> new NewMessage(
                                        new Step("k", seq), options().orderingKey("k")))
                                .toList()));
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT seq FROM effect ORDER BY id"))
                .isEqualTo(
                        IntStream.rangeClosed(1, 20).mapToObj(Integer::toString).toList());
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void tellsOfAMessageThatIsSnoozedWithoutEnd() throws Exception {
        Queue<Integer> told = new ConcurrentLinkedQueue<>();
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void claimedWithoutAttempt(MessageId id, int claims) {
                        told.add(claims);
                    }
                })
                .listen(Listener.on(
                        Q,
                        Step.class,
                        (step, delivery) -> delivery.claimNo() <= 100
                                ? Outcome.snooze(Duration.ofMillis(1))
                                : effect(step, delivery))));
        engineFixture.enqueue(Q, new Step("again", 1), options().orderingKey("o"));
        engineFixture.drained();
        assertThat(told).containsExactly(100);
    }

    @Test
    void letsACancelledMessageLeaveWithoutEffectsOrDeadLetterAndItsFollowersRun() throws Exception {
        listen(SOON, (step, delivery) -> {
            effect(step, delivery);
            return step.seq() == 1 ? Outcome.cancel("the order was withdrawn") : Outcome.done();
        });
        Enqueued first = engineFixture.enqueue(
                Q, new Step("k", 1), options().orderingKey("k").key("order-1"));
        engineFixture.enqueue(Q, new Step("k", 2), options().orderingKey("k"));
        engineFixture.drained();
        await().atMost(PATIENCE).until(() -> outcomes.size() == 2);
        assertThat(outcomes).containsExactly(Outcome.cancel("the order was withdrawn"), Outcome.done());
        assertThat(engineFixture.strings("SELECT seq FROM effect")).containsExactly("2");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
        Enqueued again = engineFixture.enqueue(Q, new Step("k", 3), options().key("order-1"));
        assertThat(again.isDuplicate()).as("its key stays taken, as after done").isTrue();
        assertThat(again.id()).isEqualTo(first.id());
    }

    @Test
    void endsFailuresAsTheRulesOfThePolicySay() throws Exception {
        RetryPolicy ruled = SOON.withRule(RetryRule.ignoreOn(UnsupportedOperationException.class))
                .withRule(RetryRule.deadOn(IOException.class).orCause());
        listen(ruled, (step, delivery) -> {
            deliveries.add(delivery);
            effect(step, delivery);
            if (delivery.attempt() == 1) {
                switch (step.k()) {
                    case "ignore" -> throw new UnsupportedOperationException("old version");
                    case "dead" -> throw new IllegalStateException(new IOException("malformed"));
                    default -> throw new IllegalStateException("busy");
                }
            }
            return Outcome.done();
        });
        for (String k : List.of("ignore", "dead", "again")) {
            engineFixture.enqueue(Q, new Step(k, 1), options());
        }
        engineFixture.drained();
        await().atMost(PATIENCE).until(() -> outcomes.size() == 4);
        assertThat(deliveries).hasSize(4);
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("again");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10))
                .extracting(DeadLetter::mark)
                .singleElement()
                .asString()
                .contains("malformed");
        assertThat(outcomes).contains(Outcome.cancel("ignored: java.lang.UnsupportedOperationException: old version"));
    }

    @Test
    void plansNoStartBeyondTheMaximumAgeByTheDatabasesClock() throws Exception {
        engineFixture.enqueue(Q, new Step("old", 1), options());
        engineFixture.enqueue(Q, new Step("old-ordered", 1), options().orderingKey("o"));
        engineFixture.sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 2 HOUR");
        engineFixture.enqueue(Q, new Step("young", 1), options());
        listen(SOON.withMaxAge(Duration.ofHours(1)), this::failsOnce);
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("young");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).hasSize(2).allSatisfy(dead -> {
            assertThat(dead.mark()).contains("maximum age of PT1H").contains("not yet");
            assertThat(dead.attempts()).as("the first start is not refused").isEqualTo(1);
        });
    }

    @Test
    void countsTheAgeFromTheFirstDueTimeThroughAllRetries() throws Exception {
        engineFixture.enqueue(Q, new Step("delayed", 1), options().delay(Duration.ofMillis(200)));
        engineFixture.sql("UPDATE acidq_scheduled SET enqueued_at = enqueued_at - INTERVAL 3 DAY");
        engineFixture.enqueue(Q, new Step("retried", 1), options());
        Queue<String> ages = new ConcurrentLinkedQueue<>();
        listen(SOON.withMaxAge(Duration.ofHours(1)), (step, delivery) -> {
            if (step.k().equals("retried") && delivery.attempt() == 2) {
                ages.addAll(engineFixture.strings(
                        "SELECT COUNT(*) FROM acidq_message WHERE first_due IS NULL AND attempts = 2"));
            }
            return failsOnce(step, delivery);
        });
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect ORDER BY k")).containsExactly("delayed", "retried");
        assertThat(ages)
                .as("a message due at once is as old as its enqueue says")
                .containsExactly("1");
    }

    @Test
    void countsTheAgeOfAReplayedMessageAnew() throws Exception {
        Enqueued enqueued = engineFixture.enqueue(Q, new Step("old", 1), options());
        engineFixture.sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 2 HOUR");
        listen(SOON.withMaxAge(Duration.ofHours(1)), this::failsOnce);
        engineFixture.drained();
        assertThat(engineFixture.sender().deadLetters().replay(enqueued.id())).isTrue();
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("old");
    }

    @Test
    void makesADeadLetterOfASnoozeBeyondTheMaximumAge() throws Exception {
        listen(
                SOON.withMaxAge(Duration.ofMinutes(10)),
                (step, delivery) -> Outcome.snooze(Duration.ofHours(1), "later"));
        engineFixture.enqueue(Q, new Step("a", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.sender().deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.mark()).contains("PT10M").contains("later"));
    }

    @Test
    void usesThePolicyThatTheListenerNames() throws Exception {
        engineFixture.engine(e -> e.retryPolicy("once", SOON.withMaxAttempts(1))
                .retryPolicy("default", SOON.withMaxAttempts(2))
                .listen(Listener.on("named", Step.class, RetryIT::fails).withRetry("once"))
                .listen(Listener.on("unnamed", Step.class, RetryIT::fails)));
        engineFixture.enqueue("named", new Step("a", 1), options());
        engineFixture.enqueue("unnamed", new Step("a", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.sender().deadLetters().list("named", 10))
                .extracting(DeadLetter::attempts)
                .containsExactly(1);
        assertThat(engineFixture.sender().deadLetters().list("unnamed", 10))
                .extracting(DeadLetter::attempts)
                .containsExactly(2);
    }

    private static Outcome fails(Step step, Delivery delivery) {
        throw new IllegalStateException("never");
    }

    private Outcome failsOnce(Step step, Delivery delivery) throws SQLException {
        if (delivery.claimNo() == 1 || delivery.attempt() == 1) {
            throw new IllegalStateException("not yet");
        }
        return effect(step, delivery);
    }

    private void listen(RetryPolicy policy, Handler<Step> handler) {
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void finished(MessageId id, Outcome outcome, Duration took) {
                        outcomes.add(outcome);
                    }
                })
                .listen(Listener.on(Q, Step.class, handler).withRetry(policy)));
    }

    private Outcome effect(Step step, Delivery delivery) throws SQLException {
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }
}
