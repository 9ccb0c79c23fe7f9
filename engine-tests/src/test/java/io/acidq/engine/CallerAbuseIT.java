package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.resilience.RetryPolicy;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Cases 49, 51 and 52 of docs/en/proof.md: what callers do around an enqueue. Those of Spring are in {@code io.acidq.spring.CallerAbuseIT}. */
class CallerAbuseIT extends SharedEngineTests {

    private static final int CALLERS = 50;

    /** The result of a caller. */
    private enum CallResult {
        ADDED,
        DUPLICATE,
        AGAIN,
        ROLLED_BACK
    }

    /** Case 49: every third caller rolls back. The victim of a deadlock calls again. */
    @RepeatedTest(2)
    void addsOneMessageForFiftyConcurrentCallersOfOneKeyOfWhomSomeRollBack(RepetitionInfo round) throws Exception {
        String key = "key " + round.getCurrentRepetition();
        CountDownLatch go = new CountDownLatch(1);
        Queue<Enqueued> results = new ConcurrentLinkedQueue<>();
        List<CallResult> told = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<CallResult>> calls = IntStream.range(0, CALLERS)
                    .mapToObj(i -> callers.submit(() -> {
                        go.await();
                        CallResult last = call(key, i, results);
                        while (last == CallResult.AGAIN) {
                            last = call(key, i, results);
                        }
                        return last;
                    }))
                    .toList();
            go.countDown();
            for (Future<CallResult> call : calls) {
                told.add(call.get(60, TimeUnit.SECONDS));
            }
        } finally {
            callers.shutdownNow();
        }
        long rolledBack = IntStream.range(0, CALLERS).filter(i -> i % 3 == 0).count();
        assertThat(told).filteredOn(t -> t == CallResult.ROLLED_BACK).hasSize((int) rolledBack);
        assertThat(told).filteredOn(t -> t == CallResult.ADDED).hasSize(1);
        assertThat(told).filteredOn(t -> t == CallResult.DUPLICATE).hasSize(CALLERS - (int) rolledBack - 1);
        assertThat(rows("acidq_message")).isEqualTo(1);
        assertThat(effects()).isEqualTo(CALLERS - rolledBack);
        assertThat(results.stream().map(Enqueued::id).distinct())
                .as("ids of the results")
                .hasSize(1);
    }

    private CallResult call(String key, int caller, Queue<Enqueued> results) throws Exception {
        boolean rollsBack = caller % 3 == 0;
        try {
            Enqueued enqueued = transactions.call(() -> {
                insertEffect(new Step(key, caller), 0);
                Enqueued one = queue().enqueue("one", "x", options().key(key));
                if (rollsBack) {
                    throw new IllegalStateException("rolled back by the caller");
                }
                return one;
            });
            results.add(enqueued);
            return enqueued.isAdded() ? CallResult.ADDED : CallResult.DUPLICATE;
        } catch (TransientQueueException e) {
            return CallResult.AGAIN;
        } catch (IllegalStateException e) {
            return CallResult.ROLLED_BACK;
        }
    }

    /** Case 51: single, delayed, keyed and bulk messages are undone, and their keys are released. */
    @Test
    void undoesMessagesAndKeysEnqueuedBeforeARollbackToASavepoint() throws Exception {
        transactions.run(() -> {
            Connection connection = transactions.connection();
            queue().enqueue("saved", "before", options().key("k1"));
            Savepoint savepoint = connection.setSavepoint("mine");
            queue().enqueue("saved", "undone", options().key("k2"));
            queue().enqueue("saved", "undone", options().delay(Duration.ofHours(1)));
            queue().enqueueAll(
                            "saved",
                            IntStream.range(0, 600)
                                    .mapToObj(i ->
                                            new NewMessage("undone", options().key("b" + i)))
                                    .toList());
            connection.rollback(savepoint);
            assertThat(queue().enqueue("saved", "after", options().key("k2")).isAdded())
                    .isTrue();
        });
        assertThat(strings("SELECT CONVERT(payload USING utf8mb4) FROM acidq_message ORDER BY id"))
                .containsExactly("\"before\"", "\"after\"");
        assertThat(rows("acidq_scheduled")).isZero();
        assertThat(strings(
                        "SELECT CONVERT(p_key USING utf8mb4) FROM acidq_key WHERE p_key LIKE 'b%' OR p_key LIKE 'k_'"))
                .containsExactlyInAnyOrder("k1", "k2");
    }

    /** Case 52. */
    @Test
    void refusesAReadOnlyTransactionAndLeavesItUsable() {
        transactions.run(() -> queue().enqueue("known", "x"));
        assertThatThrownBy(() -> readOnly(() -> queue().enqueue("known", "x")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("enqueue to 'known'", "read-only");
        assertThat(rows("acidq_message")).isEqualTo(1);
    }

    private void readOnly(Callable<?> work) throws Exception {
        try {
            transactions.run(() -> {
                transactions.connection().setReadOnly(true);
                work.call();
            });
        } finally {
            transactions.run(() -> assertThat(transactions.connection().isReadOnly())
                    .as("the connection of the next transaction")
                    .isFalse());
        }
    }

    /** Case 52. */
    @Test
    void refusesToEnqueueWithoutATransactionBeforeAnySql() {
        assertThatThrownBy(() -> queue().enqueue("never.opened", "x"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("enqueue to 'never.opened'", "@Transactional", "JdbcTransactions.run");
        assertThat(rows("acidq_queue WHERE name = 'never.opened'")).isZero();
    }

    /** Case 52: the transaction has ended when its callbacks run. */
    @Test
    void refusesToEnqueueInAnAfterCommitCallback() {
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        transactions.run(() -> {
            queue().enqueue("hinted", "before");
            transactions.afterCommit(() -> {
                try {
                    queue().enqueue("hinted", "after");
                } catch (QueueMisuseException e) {
                    refusals.add(e);
                }
            });
        });
        assertThat(refusals).hasSize(1);
        assertThat(rows("acidq_message")).isEqualTo(1);
    }

    /** Case 52: the error comes after the commit, so that the call must not fail. */
    @Test
    void keepsTheCommitWhenAnAfterCommitCallbackThrowsAnError() {
        transactions.run(() -> {
            queue().enqueue("hinted", "x");
            transactions.afterCommit(() -> {
                throw new AssertionError("pretended");
            });
        });
        assertThat(rows("acidq_message")).isEqualTo(1);
    }

    /** Case 52: a handler's messages are committed with its acknowledgement. */
    @Test
    void enqueuesFromAHandlerOnceThoughItsFirstAttemptFails() throws Exception {
        transactions.run(() -> queue().enqueue("outer", new Step("a", 1)));
        Engine engine = engine(e -> e.listen(on("outer", (step, delivery) -> {
                            queue().enqueue("inner", new Step("attempt", delivery.attempt()));
                            if (delivery.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return Outcome.done();
                        })
                        .withRetry(RetryPolicy.defaults().withBackoff(Duration.ZERO, 1, Duration.ZERO)))
                .listen(on("inner", this::effect)));
        awaitDrained();
        engine.close();
        assertThat(strings("SELECT CONCAT(k, seq) FROM effect")).containsExactly("attempt2");
    }

    /** Case 52: an external handler has no transaction. */
    @Test
    void refusesAnExternalHandlerWithoutATransactionOfItsOwn() throws Exception {
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        transactions.run(() -> queue().enqueue("external", new Step("a", 1)));
        Engine engine = listen(on("external", (step, delivery) -> {
                    try {
                        queue().enqueue("inner", step);
                    } catch (QueueMisuseException refused) {
                        refusals.add(String.valueOf(refused.getMessage()));
                    }
                    transactions.run(() -> insertEffect(step, 0));
                    return Outcome.done();
                })
                .withOptions(HandlerOptions.defaults().withMode(HandlerMode.EXTERNAL)));
        awaitDrained();
        engine.close();
        assertThat(refusals).hasSize(1).allMatch(text -> text.contains("needs a transaction"));
        assertThat(effects()).isEqualTo(1);
    }
}
