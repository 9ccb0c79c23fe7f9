package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What each outcome and each rule of a retry policy leaves in the tables, on a real server. */
@AnyServer(ServerKind.MARIADB)
class RetryIT extends FreshEngineTests {

    private static final String Q = "retried";
    private static final RetryPolicy SOON = RetryPolicy.defaults().withFixedBackoff(Duration.ofMillis(5));

    private final RecordedTelemetry telemetry = new RecordedTelemetry();
    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();

    @Test
    void snoozesAMessageWithoutCountingAnAttemptOrKeepingItsEffects() throws Exception {
        listen(SOON, (step, delivery) -> {
            effect(step, delivery);
            return Outcome.snooze(Duration.ofDays(1), "not open yet");
        });
        enqueue(Q, new Step("ordered", 1), options().orderingKey("o"));
        enqueue(Q, new Step("plain", 1));
        awaitUntil(() -> telemetry.outcomes.size() == 2);
        assertThat(telemetry.outcomes).allMatch(Outcome.Snooze.class::isInstance);
        String state = "SELECT CONCAT(claim_no, '/', attempts, '/',"
                + " TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP(6), preexec_time)) FROM ";
        assertThat(strings(state + "acidq_message WHERE owner = 0"))
                .as("in the place of its key")
                .containsExactly("1/0/23");
        assertThat(strings(state + "acidq_scheduled")).containsExactly("1/0/23");
        assertThat(effects()).isZero();
    }

    @Test
    void reportsAMessageThatIsSnoozedAHundredTimes() throws Exception {
        Queue<Integer> told = new ConcurrentLinkedQueue<>();
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void claimedWithoutAttempt(MessageId id, int claims) {
                        told.add(claims);
                    }
                })
                .listen(on(
                        Q,
                        (step, delivery) -> delivery.claimNo() <= 100
                                ? Outcome.snooze(Duration.ofMillis(1))
                                : effect(step, delivery))));
        enqueue(Q, new Step("again", 1), options().orderingKey("o"));
        awaitDrained();
        assertThat(told).containsExactly(100);
    }

    @Test
    void reportsAMessageWhoseHandlerFailsByTheSameTransientErrorAgainAndAgain() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void failsTransiently(MessageId id, int times, Throwable failure) {
                        told.add(times + " times: " + failure.getMessage());
                    }
                })
                .listen(on(Q, (step, delivery) -> {
                    if (delivery.claimNo() <= 6) {
                        throw new SQLTransientConnectionException("no connection to the other database");
                    }
                    return effect(step, delivery);
                })));
        enqueue(Q, new Step("again", 1));
        awaitDrained();
        assertThat(told).containsExactly("5 times: no connection to the other database");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void endsSuchAMessageAtTheMaximumAge() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        listen(SOON.withMaxAge(Duration.ofMillis(1)), (step, delivery) -> {
            runs.incrementAndGet();
            throw new SQLTransientConnectionException("no connection to the other database");
        });
        enqueue(Q, new Step("again", 1));
        awaitRows("acidq_dead", 1);
        assertThat(runs).as("a single deadlock ends no old message").hasValue(5);
        assertThat(deadLetters().list(Q, 1))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("no start is left within the maximum age of PT0.001S: it has failed 5 times here")
                        .contains("no connection to the other database"));
    }

    @Test
    void endsACancelledMessageWithoutEffectsOrDeadLetterAndRunsItsFollowers() throws Exception {
        listen(SOON, (step, delivery) -> {
            effect(step, delivery);
            return step.seq() == 1 ? Outcome.cancel("the order was withdrawn") : Outcome.done();
        });
        Enqueued first = enqueue(Q, new Step("k", 1), options().orderingKey("k").key("order-1"));
        enqueueOrdered(Q, "k", 2);
        awaitDrained();
        awaitUntil(() -> telemetry.outcomes.size() == 2);
        assertThat(telemetry.outcomes).containsExactly(Outcome.cancel("the order was withdrawn"), Outcome.done());
        assertThat(strings("SELECT seq FROM effect")).containsExactly("2");
        assertThat(rows("acidq_dead")).isZero();
        Enqueued again = enqueue(Q, new Step("k", 3), options().key("order-1"));
        assertThat(again.isDuplicate()).as("its key stays taken, as after done").isTrue();
        assertThat(again.id()).isEqualTo(first.id());
    }

    @Test
    void tellsTheExceptionOfEachFailedAttempt() throws Exception {
        IllegalStateException failure = new IllegalStateException("busy");
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        Queue<Outcome> next = new ConcurrentLinkedQueue<>();
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void failed(MessageId id, Throwable thrown, Outcome outcome) {
                        told.add(thrown);
                        next.add(outcome);
                    }
                })
                .listen(on(Q, (step, delivery) -> {
                            throw failure;
                        })
                        .withRetry(SOON.withJitter(0).withMaxAttempts(2))));
        enqueue(Q, new Step("a", 1));
        awaitDrained();
        awaitUntil(() -> told.size() == 2);
        assertThat(told).allMatch(thrown -> thrown == failure);
        assertThat(next)
                .containsExactly(
                        Outcome.retryAfter(Duration.ofMillis(5), "java.lang.IllegalStateException: busy"),
                        Outcome.dead("java.lang.IllegalStateException: busy"));
    }

    @Test
    void appliesTheRulesOfTheRetryPolicy() throws Exception {
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
            enqueue(Q, new Step(k, 1));
        }
        awaitDrained();
        awaitUntil(() -> telemetry.outcomes.size() == 4);
        assertThat(deliveries).hasSize(4);
        assertThat(strings("SELECT k FROM effect")).containsExactly("again");
        assertThat(deadLetters().list(Q, 10))
                .extracting(DeadLetter::error)
                .singleElement()
                .asString()
                .contains("malformed");
        assertThat(telemetry.outcomes)
                .contains(Outcome.cancel("ignored: java.lang.UnsupportedOperationException: old version"));
    }

    @Test
    void schedulesNoRetryBeyondTheMaximumAgeByTheDatabasesClock() throws Exception {
        enqueue(Q, new Step("old", 1));
        enqueue(Q, new Step("old-ordered", 1), options().orderingKey("o"));
        sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 2 HOUR");
        enqueue(Q, new Step("young", 1));
        listen(SOON.withMaxAge(Duration.ofHours(1)), this::failsOnce);
        awaitDrained();
        assertThat(strings("SELECT k FROM effect")).containsExactly("young");
        assertThat(deadLetters().list(Q, 10)).hasSize(2).allSatisfy(dead -> {
            assertThat(dead.error()).contains("maximum age of PT1H").contains("not yet");
            assertThat(dead.attempts()).as("the first start is not refused").isEqualTo(1);
        });
    }

    @Test
    void countsTheAgeFromTheFirstDueTimeThroughAllRetries() throws Exception {
        enqueue(Q, new Step("delayed", 1), options().delay(Duration.ofMillis(200)));
        sql("UPDATE acidq_scheduled SET enqueued_at = enqueued_at - INTERVAL 3 DAY");
        enqueue(Q, new Step("retried", 1));
        Queue<String> ages = new ConcurrentLinkedQueue<>();
        listen(SOON.withMaxAge(Duration.ofHours(1)), (step, delivery) -> {
            if (step.k().equals("retried") && delivery.attempt() == 2) {
                ages.addAll(strings("SELECT COUNT(*) FROM acidq_message WHERE first_due IS NULL AND attempts = 2"));
            }
            return failsOnce(step, delivery);
        });
        awaitDrained();
        assertThat(strings("SELECT k FROM effect ORDER BY k")).containsExactly("delayed", "retried");
        assertThat(ages)
                .as("a message due at once is as old as its enqueue says")
                .containsExactly("1");
    }

    @Test
    void restartsTheAgeOfAReplayedMessage() throws Exception {
        Enqueued enqueued = enqueue(Q, new Step("old", 1));
        sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 2 HOUR");
        listen(SOON.withMaxAge(Duration.ofHours(1)), this::failsOnce);
        awaitDrained();
        assertThat(deadLetters().replay(enqueued.id())).isTrue();
        awaitDrained();
        assertThat(strings("SELECT k FROM effect")).containsExactly("old");
    }

    @Test
    void deadLettersASnoozeBeyondTheMaximumAge() throws Exception {
        listen(
                SOON.withMaxAge(Duration.ofMinutes(10)),
                (step, delivery) -> Outcome.snooze(Duration.ofHours(1), "later"));
        enqueue(Q, new Step("a", 1));
        awaitDrained();
        assertThat(deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error()).contains("PT10M").contains("later"));
    }

    @Test
    void usesThePolicyThatTheListenerNames() throws Exception {
        engine(e -> e.retryPolicy("once", SOON.withMaxAttempts(1))
                .retryPolicy("default", SOON.withMaxAttempts(2))
                .listen(on("named", RetryIT::fails).withRetry("once"))
                .listen(on("unnamed", RetryIT::fails)));
        enqueue("named", new Step("a", 1));
        enqueue("unnamed", new Step("a", 1));
        awaitDrained();
        assertThat(deadLetters().list("named", 10))
                .extracting(DeadLetter::attempts)
                .containsExactly(1);
        assertThat(deadLetters().list("unnamed", 10))
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
        engine(e -> e.telemetry(telemetry).listen(on(Q, handler).withRetry(policy)));
    }
}
