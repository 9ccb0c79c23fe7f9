package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.Attempts.Attempt;
import io.acidq.admin.Attempts.FailedAttempts;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.Retention;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The record of failed attempts, on a real server. */
class AttemptsIT extends FreshEngineTests {

    private static final String Q = "attempts";
    private static final RetryPolicy THREE_AT_ONCE =
            RetryPolicy.defaults().withMaxAttempts(3).withBackoff(Backoff.fixed(Duration.ZERO));

    private Engine failing(EngineConfig config, Handler<Step> handler) {
        return engine(
                e -> e.config(config).listen(Listener.on(Q, Step.class, handler).withRetry(THREE_AT_ONCE)));
    }

    @Test
    void hasEachFailedAttemptOfADeadLetter() {
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        Engine engine = failing(QUICK, (step, delivery) -> {
            throw new IllegalStateException("failure " + delivery.attempt());
        });
        awaitRows("acidq_dead", 1);

        FailedAttempts found = sender().attempts().of(id);
        assertThat(found.notRecorded()).isZero();
        assertThat(found.attempts()).extracting(Attempt::dead).containsExactly(false, false, true);
        assertThat(found.attempts()).extracting(Attempt::claimNo).isSorted().doesNotHaveDuplicates();
        assertThat(found.attempts()).extracting(Attempt::node).containsOnly(engine.node());
        assertThat(found.attempts().get(1).error()).contains("failure 2");
        assertThat(found.attempts()).allSatisfy(each -> {
            assertThat(each.startedAt()).isBeforeOrEqualTo(each.endedAt());
            assertThat(each.endedAt()).isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES));
            assertThat(each.cause()).isEqualTo(deadLetters().list(Q, 1).get(0).cause());
        });
        assertThat(found.attempts().get(0).retryAt()).isPresent();
        assertThat(found.attempts().get(2).retryAt()).isEmpty();
    }

    /** With an ordering key a message is retried in its place, which is another transaction. */
    @Test
    void hasTheAttemptsOfAMessageWithAnOrderingKeyThatIsDoneInTheEnd() {
        MessageId id = enqueue(Q, new Step("a", 1), options().orderingKey("k")).id();
        failing(
                QUICK,
                (step, delivery) ->
                        delivery.attempt() < 3 ? Outcome.retryAfter(Duration.ZERO, "not yet") : effect(step, delivery));
        awaitRows("effect", 1);
        awaitDrained();

        FailedAttempts found = sender().attempts().of(id);
        assertThat(found.attempts()).extracting(Attempt::error).containsExactly("not yet", "not yet");
        assertThat(found.notRecorded()).isZero();
    }

    @Test
    void hasNothingForASuccessASnoozeOrACancellation() {
        List<MessageId> ids = place(Q, 1, 3).stream().map(each -> each.id()).toList();
        failing(QUICK, (step, delivery) -> switch ((int) step.seq()) {
            case 1 -> Outcome.cancel("not wanted");
            case 2 -> delivery.claimNo() == 1 ? Outcome.snooze(Duration.ofMillis(1), "later") : effect(step, delivery);
            default -> effect(step, delivery);
        });
        awaitDrained();

        assertThat(ids)
                .allSatisfy(
                        id -> assertThat(sender().attempts().of(id).attempts()).isEmpty());
    }

    @Test
    void recordsNothingWhenItIsSwitchedOff() {
        enqueue(Q, new Step("a", 1));
        failing(
                QUICK.withRetention(Retention.defaults().withAttempts(Duration.ZERO)),
                (step, delivery) -> Outcome.dead("no"));
        awaitRows("acidq_dead", 1);

        assertThat(rows("acidq_attempt")).isZero();
    }

    /** A lost privilege, for example: what becomes of a message does not depend on the record of its attempts. */
    @Test
    void aRecordThatCannotBeWrittenChangesNothingElse() {
        Engine engine = failing(
                QUICK,
                (step, delivery) -> delivery.attempt() < 3
                        ? Outcome.retryAfter(Duration.ZERO, "not yet")
                        : effectOfAttempt(step, delivery));
        sql("ALTER TABLE acidq_attempt RENAME TO gone");
        place(Q, 1, 5);
        awaitRows("effect", 5);
        awaitDrained();
        sql("ALTER TABLE gone RENAME TO acidq_attempt");

        assertThat(strings("SELECT DISTINCT tag FROM effect")).containsExactly("3");
        assertThat(engine.isRunning()).isTrue();
    }

    @Test
    void recordsAtMostFiftyASecondAndCountsTheOthers() {
        long start = System.nanoTime();
        List<MessageId> ids = place(Q, 1, 300).stream().map(each -> each.id()).toList();
        failing(QUICK, (step, delivery) -> Outcome.dead("no"));
        awaitRows("acidq_dead", 300);
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;

        assertThat(rows("acidq_attempt")).isBetween(50L, Math.min(300, 50 * (seconds + 1)));
        long notRecorded = ids.stream()
                .mapToLong(id -> sender().attempts().of(id).notRecorded())
                .sum();
        assertThat(notRecorded).isEqualTo(300 - rows("acidq_attempt"));
    }
}
