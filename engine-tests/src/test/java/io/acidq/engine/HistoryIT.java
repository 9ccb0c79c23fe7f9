package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.History.HistoryPoint;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.HistoryOptions;
import io.acidq.config.Listener;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What engines add to the history, on a real server. Each write here is the one at the stop of an engine. */
class HistoryIT extends FreshEngineTests {

    private static final String Q = "counted";

    @Test
    void hasWhatAnEngineHasDone() {
        RetryPolicy twice = RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Backoff.fixed(Duration.ZERO));
        Engine engine = listen(Listener.on(Q, Step.class, (step, delivery) -> switch ((int) step.seq()) {
                    case 1 -> throw new IllegalStateException("fails");
                    case 2 -> Outcome.cancel("not wanted");
                    default -> effect(step, delivery);
                })
                .withRetry(twice));
        transactions.run(() -> place(engine, 1, 10));
        awaitDrained();
        engine.deadLetters().discard(engine.deadLetters().list(Q, 10).get(0).id(), new Operator("ann", "test"));
        engine.close();

        HistoryPoint all = all(Q);
        assertThat(all.enqueued()).isEqualTo(10);
        assertThat(all.done()).isEqualTo(8);
        assertThat(List.of(all.retried(), all.dead(), all.cancelled(), all.discarded()))
                .as("retried, dead, cancelled, discarded")
                .containsExactly(1L, 1L, 1L, 1L);
        assertThat(all.runs().counts().stream().mapToLong(count -> count).sum()).isEqualTo(11);
        assertThat(all.lags().counts().stream().mapToLong(count -> count).sum()).isEqualTo(11);
        assertThat(rows("acidq_history WHERE enqueued > 0"))
                .as("of a minute, ten minutes and an hour")
                .isEqualTo(3);
    }

    @Test
    void countsEachMessageThatABulkCancelRemoves() {
        Engine engine = Engine.builder(store).build();
        transactions.run(() -> place(engine, 1, 3));
        engine.messages().cancel(MessageFilter.of(Q), BulkAction.by("ann", "test"));
        engine.close();

        assertThat(all(Q).cancelled()).isEqualTo(3);
    }

    @Test
    void hasWhatWasCommittedByAnEngineThatIsNeverStarted() {
        Engine engine = Engine.builder(store).build();
        transactions.run(() -> place(engine, 1, 3));
        assertThatThrownBy(() -> transactions.run(() -> {
                    place(engine, 4, 6);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);
        engine.close();

        assertThat(all(Q).enqueued()).isEqualTo(3);
        engine.close();
        assertThat(all(Q).enqueued()).as("nothing more was counted").isEqualTo(3);
    }

    @Test
    void anEngineWritesNothingWhenNothingHasHappenedOrWhenItIsSwitchedOff() {
        listen(Q, this::effect).close();
        Engine off = Engine.builder(store)
                .config(EngineConfig.defaults()
                        .withHistory(HistoryOptions.defaults().withEnabled(false)))
                .build();
        transactions.run(() -> place(off, 1, 3));
        off.close();

        assertThat(rows("acidq_history")).isZero();
    }

    /** The table is missing: nothing but the history is. */
    @Test
    void aWriterThatFailsStopsNothing() {
        sql("ALTER TABLE acidq_history RENAME TO gone");
        Engine engine = Engine.builder(store).build();
        transactions.run(() -> place(engine, 1, 3));
        engine.close();
        sql("ALTER TABLE gone RENAME TO acidq_history");

        assertThat(rows("acidq_message")).isEqualTo(3);
        transactions.run(() -> place(engine, 4, 4));
        engine.close();
        assertThat(all(Q).enqueued()).as("with what was not written before").isEqualTo(4);
    }

    /** The COMMIT has happened, and its answer is lost. */
    @Test
    void numbersWhoseCommitIsUnknownAreNotAddedAgain() {
        AtomicInteger lost = new AtomicInteger();
        Engine engine = Engine.builder(MyBatisStore.over(
                        SqlHook.over(pool, new SqlHook.SqlListener() {
                            @Override
                            public void afterCommit(List<String> statements) {
                                if (statements.stream().anyMatch(sql -> sql.contains("INSERT INTO acidq_history"))
                                        && lost.incrementAndGet() == 1) {
                                    throw new IllegalStateException(
                                            new SQLException("Communications link failure", "08S01", 0));
                                }
                            }
                        }),
                        transactions))
                .build();
        transactions.run(() -> place(engine, 1, 3));
        engine.close();
        assertThat(lost).hasValue(1);
        transactions.run(() -> place(engine, 4, 4));
        engine.close();

        assertThat(all(Q).enqueued()).isEqualTo(4);
    }

    @Test
    void readsEachQueueAndTheirSum() {
        Engine engine = Engine.builder(store).build();
        transactions.run(() -> {
            place(engine, 1, 3);
            engine.queue().enqueueAll("other", steps("m", 1, 2, options()));
        });
        engine.close();

        assertThat(all(Q, "other").enqueued()).isEqualTo(5);
        assertThat(engine.history().readEach(List.of(Q, "other", "unknown"), Duration.ofHours(24), start(), end()))
                .hasSize(2)
                .hasEntrySatisfying(
                        "other", points -> assertThat(points.get(0).enqueued()).isEqualTo(2));
        assertThatThrownBy(() -> engine.history().read(List.of(Q), Duration.ofMinutes(1), start(), end()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("at most 400 slots");
        assertThatThrownBy(() -> engine.history().read(List.of(Q), Duration.ofMinutes(5), start(), end()))
                .hasMessageContaining("the step of a history must be");
        assertThatThrownBy(() -> engine.history().read(List.of(Q), Duration.ofHours(1), end(), start()))
                .hasMessageContaining("must be before its end");
    }

    private static void place(Engine engine, long first, long last) {
        engine.queue().enqueueAll(Q, steps("m", first, last, options()));
    }

    /** All numbers of the last days. */
    private HistoryPoint all(String... queues) {
        return sender().history().read(List.of(queues), Duration.ofHours(24), start(), end()).stream()
                .reduce(HistoryPoint::plus)
                .orElseThrow();
    }

    private static Instant start() {
        return Instant.now().minus(Duration.ofDays(3));
    }

    private static Instant end() {
        return Instant.now().plus(Duration.ofDays(3));
    }
}
