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
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases 49, 51 and 52: what callers do around an enqueue. Those of Spring are in {@code io.acidq.spring.CallerAbuseIT}. */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class CallerAbuseIT {

    private static final int CALLERS = 50;

    @Parameter
    private ServerKind kind;

    private EngineFixture engineFixture;

    @BeforeParameterizedClassInvocation
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void clear() {
        engineFixture.sql("DELETE FROM acidq_message");
        engineFixture.sql("DELETE FROM acidq_scheduled");
        engineFixture.sql("DELETE FROM effect");
    }

    @AfterParameterizedClassInvocation
    void close() {
        engineFixture.close();
    }

    /** What a caller was told: that its message is there, that another's is, to run again, or nothing, because it rolled back. */
    private enum CallResult {
        ADDED,
        DUPLICATE,
        AGAIN,
        ROLLED_BACK
    }

    /** Case 49: every third rolls back; who is the victim of a deadlock runs again, as he is told. */
    @RepeatedTest(5)
    void makesOneMessageOfFiftyCallersOfOneKeyThoughSomeRollBack(RepetitionInfo round) throws Exception {
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
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isEqualTo(1);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(CALLERS - rolledBack);
        assertThat(results.stream().map(Enqueued::id).distinct())
                .as("every loser is told the winner's id")
                .hasSize(1);
    }

    private CallResult call(String key, int caller, Queue<Enqueued> results) throws Exception {
        boolean rollsBack = caller % 3 == 0;
        try {
            Enqueued enqueued = engineFixture.transactions.call(() -> {
                engineFixture.effect(new Step(key, caller), 0);
                Enqueued one = engineFixture
                        .sender()
                        .queue()
                        .enqueue("one", "x", options().key(key));
                if (rollsBack) {
                    throw new IllegalStateException("business says no");
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

    /** Case 51: of single ones, delayed ones, keyed ones and bulks; keys are free again too. */
    @Test
    void showsNothingThatWasEnqueuedBeforeARollbackToASavepoint() throws Exception {
        engineFixture.transactions.run(() -> {
            Connection connection = engineFixture.transactions.connection();
            engineFixture.sender().queue().enqueue("saved", "before", options().key("k1"));
            Savepoint savepoint = connection.setSavepoint("mine");
            engineFixture.sender().queue().enqueue("saved", "undone", options().key("k2"));
            engineFixture.sender().queue().enqueue("saved", "undone", options().delay(Duration.ofHours(1)));
            engineFixture
                    .sender()
                    .queue()
                    .enqueueAll(
                            "saved",
                            IntStream.range(0, 600)
                                    .mapToObj(i ->
                                            new NewMessage("undone", options().key("b" + i)))
                                    .toList());
            connection.rollback(savepoint);
            assertThat(engineFixture
                            .sender()
                            .queue()
                            .enqueue("saved", "after", options().key("k2"))
                            .isAdded())
                    .isTrue();
        });
        assertThat(engineFixture.strings("SELECT CONVERT(payload USING utf8mb4) FROM acidq_message ORDER BY id"))
                .containsExactly("\"before\"", "\"after\"");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_scheduled")).isZero();
        assertThat(engineFixture.strings(
                        "SELECT CONVERT(p_key USING utf8mb4) FROM acidq_key WHERE p_key LIKE 'b%' OR p_key LIKE 'k_'"))
                .containsExactlyInAnyOrder("k1", "k2");
    }

    /** Case 52. */
    @Test
    void refusesAReadOnlyTransactionAndLeavesItUsable() {
        engineFixture.transactions.run(() -> engineFixture.sender().queue().enqueue("known", "x"));
        assertThatThrownBy(() -> readOnly(() -> engineFixture.sender().queue().enqueue("known", "x")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("enqueue to 'known'", "read-only");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isEqualTo(1);
    }

    private void readOnly(Callable<?> work) throws Exception {
        try {
            engineFixture.transactions.run(() -> {
                engineFixture.transactions.connection().setReadOnly(true);
                work.call();
            });
        } finally {
            engineFixture.transactions.run(
                    () -> assertThat(engineFixture.transactions.connection().isReadOnly())
                            .as("the next one's connection")
                            .isFalse());
        }
    }

    /** Case 52. */
    @Test
    void refusesWithoutATransactionBeforeAnySql() {
        assertThatThrownBy(() -> engineFixture.sender().queue().enqueue("never.opened", "x"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("enqueue to 'never.opened'", "@Transactional", "JdbcTransactions.run");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_queue WHERE name = 'never.opened'"))
                .isZero();
    }

    /** Case 52: the transaction of plain Java is over when its hints are called. */
    @Test
    void refusesAfterTheCommit() {
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        engineFixture.transactions.run(() -> {
            engineFixture.sender().queue().enqueue("hinted", "before");
            engineFixture.transactions.afterCommit(() -> {
                try {
                    engineFixture.sender().queue().enqueue("hinted", "after");
                } catch (QueueMisuseException e) {
                    refusals.add(e);
                }
            });
        });
        assertThat(refusals).hasSize(1);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isEqualTo(1);
    }

    /** Case 52: an Error of a hint comes after the commit, and the caller shall not believe that it failed. */
    @Test
    void keepsTheCommitWhenAHintThrowsAnError() {
        engineFixture.transactions.run(() -> {
            engineFixture.sender().queue().enqueue("hinted", "x");
            engineFixture.transactions.afterCommit(() -> {
                throw new AssertionError("a hint of somebody's");
            });
        });
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isEqualTo(1);
    }

    /** Case 52: with the acknowledgement or not at all. */
    @Test
    void enqueuesFromAHandlerOnceThoughItsFirstAttemptFails() throws Exception {
        engineFixture.transactions.run(() -> engineFixture.sender().queue().enqueue("outer", new Step("a", 1)));
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on("outer", Step.class, (step, delivery) -> {
                            engineFixture.sender().queue().enqueue("inner", new Step("attempt", delivery.attempt()));
                            if (delivery.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return Outcome.done();
                        })
                        .withRetry(RetryPolicy.defaults().withBackoff(Duration.ZERO, 1, Duration.ZERO)))
                .listen(Listener.on("inner", Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.node());
                    return Outcome.done();
                })));
        engineFixture.drained();
        engine.close();
        assertThat(engineFixture.strings("SELECT CONCAT(k, seq) FROM effect")).containsExactly("attempt2");
    }

    /** Case 52: an external handler has no transaction, and is told so like anybody else. */
    @Test
    void refusesAnExternalHandlerWithoutATransactionOfItsOwn() throws Exception {
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        engineFixture.transactions.run(() -> engineFixture.sender().queue().enqueue("external", new Step("a", 1)));
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on("external", Step.class, (step, delivery) -> {
                    try {
                        engineFixture.sender().queue().enqueue("inner", step);
                    } catch (QueueMisuseException refused) {
                        refusals.add(String.valueOf(refused.getMessage()));
                    }
                    engineFixture.transactions.run(() -> engineFixture.effect(step, 0));
                    return Outcome.done();
                })
                .withOptions(HandlerOptions.defaults().withMode(HandlerMode.EXTERNAL))));
        engineFixture.drained();
        engine.close();
        assertThat(refusals).hasSize(1).allMatch(text -> text.contains("needs a transaction"));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
    }
}
