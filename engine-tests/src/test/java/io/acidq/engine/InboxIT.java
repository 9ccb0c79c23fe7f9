package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Inbox;
import io.acidq.InboxResult;
import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.FullBuild;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the inbox does for an application, on a real server. */
class InboxIT extends FreshEngineTests {

    private static final String CONSUMER = "billing";
    private static final int CALLERS = 50;

    private Inbox inbox;

    @BeforeEach
    void openQueue() {
        inbox = sender().inbox();
    }

    @Test
    void refusesToWorkWithoutATransactionAndSaysWhatToDo() {
        assertThatThrownBy(() -> inbox.once(CONSUMER, "k", () -> effect("k")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("consumer 'billing'", "@Transactional", "JdbcTransactions.run");
        assertThatThrownBy(() -> inbox.onceAll(CONSUMER, List.of("k"), k -> k, fresh -> effect("k")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void runsTheWorkOnceAndReturnsToADuplicateWhenItWasFirstDone() throws Exception {
        InboxResult<String> first = inTransaction(() -> inbox.once(CONSUMER, "k", () -> {
            effect("k");
            return "receipt";
        }));
        InboxResult<Void> second = inTransaction(() -> inbox.once(CONSUMER, "k", () -> effect("again")));

        assertThat(first).isEqualTo(InboxResult.ran("receipt"));
        assertThat(second.isDuplicate()).isTrue();
        assertThat(second.firstDoneAt()).isNotNull();
        assertThat(effectKeys()).containsExactly("k");
    }

    @Test
    void refusesInvalidInputBeforeAnySqlSoThatTheTransactionStaysUsable() throws Exception {
        inTransaction(() -> {
            assertThatThrownBy(() -> inbox.once("no spaces", "k", () -> effect("a")))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("no spaces");
            for (String key : List.of("", "x".repeat(256), "half a pair \ud800")) {
                assertThatThrownBy(() -> inbox.once(CONSUMER, key, () -> effect("b")))
                        .isInstanceOf(MessageRejectedException.class)
                        .hasMessageContaining("consumer 'billing'");
            }
            return inbox.once(CONSUMER, "x".repeat(255), () -> effect("good"));
        });

        assertThat(effectKeys()).containsExactly("good");
    }

    @Test
    void undoesEffectAndKeyWhenTheCallerSwallowsTheExceptionAndCommits() throws Exception {
        inTransaction(() -> {
            effect("before");
            assertThatThrownBy(() -> inbox.once(CONSUMER, "k", () -> {
                        effect("half");
                        throw new SQLException("no stock");
                    }))
                    .isExactlyInstanceOf(SQLException.class)
                    .hasMessage("no stock");
            assertThatThrownBy(() -> inbox.once(CONSUMER, "k", () -> {
                        effect("half");
                        throw new StackOverflowError("deep");
                    }))
                    .isExactlyInstanceOf(StackOverflowError.class);
            effect("after");
            return true;
        });

        assertThat(effectKeys()).containsExactly("before", "after");
        assertThat(inTransaction(() -> inbox.once(CONSUMER, "k", () -> effect("k")))
                        .ran())
                .isTrue();
    }

    @Test
    void runsTheWorkOfOneConsumerWithinThatOfAnother() throws Exception {
        inTransaction(() -> inbox.once(CONSUMER, "k", () -> {
            assertThat(inbox.once(CONSUMER, "k", () -> effect("same")).isDuplicate())
                    .isTrue();
            inbox.once("shipping", "k", () -> effect("inner"));
            effect("outer");
        }));

        assertThat(effectKeys()).containsExactly("inner", "outer");
    }

    @Test
    void hasOneEffectForFiftyConcurrentCallersOfOneKeyOfWhomSomeRollBack() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            CyclicBarrier together = new CyclicBarrier(CALLERS);
            List<Future<Boolean>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                boolean rollsBack = i % 3 == 0;
                callers.add(threads.submit(() -> {
                    together.await();
                    return call("k", rollsBack);
                }));
            }
            int ran = 0;
            for (Future<Boolean> caller : callers) {
                ran += caller.get(2, TimeUnit.MINUTES) ? 1 : 0;
            }
            assertThat(ran).as("callers whose work was committed").isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
        assertThat(effectKeys()).containsExactly("k");
    }

    /** Repeats the call while it fails with a transient exception. */
    private boolean call(String key, boolean rollsBack) throws Exception {
        while (true) {
            try {
                return inTransaction(() -> {
                    boolean ran = inbox.once(CONSUMER, key, () -> effect(key)).ran();
                    if (rollsBack && ran) {
                        throw new IllegalStateException("changed its mind");
                    }
                    return ran;
                });
            } catch (TransientQueueException e) {
                // the victim of a deadlock calls again
            } catch (IllegalStateException e) {
                return false;
            }
        }
    }

    @Test
    void hasOneEffectForEachEventWithRedeliveriesTwoEnginesAndFailures() throws Exception {
        int events = 150;
        Random dice = new Random(7);
        for (int i = 0; i < 2; i++) {
            AtomicInteger runs = new AtomicInteger();
            listen(on("event", (step, delivery) -> {
                        inbox.once(CONSUMER, step.k(), () -> insertEffect(step, delivery.node()));
                        if (runs.incrementAndGet() % 5 == 0) {
                            throw new IllegalStateException("after the work");
                        }
                        return Outcome.done();
                    })
                    .withConcurrency(8)
                    .withRetry(RetryPolicy.defaults()
                            .withMaxAttempts(50)
                            .withBackoff(Duration.ofMillis(1), 1, Duration.ofMillis(1))));
        }
        for (int delivery = 0; delivery < 3; delivery++) {
            for (int event = 0; event < events; event++) {
                int k = delivery == 0 ? event : dice.nextInt(events);
                enqueue("event", new Step("event-" + k, delivery), EnqueueOptions.options());
            }
        }
        awaitDrained();

        assertThat(effects()).isEqualTo(events);
        assertThat(count("SELECT COUNT(DISTINCT k) FROM effect")).isEqualTo(events);
        assertThat(rows("acidq_dead")).isZero();
    }

    @Test
    void findsNewKeysAmongManyWithDuplicates() throws Exception {
        int many = FullBuild.IS_ON ? 100_000 : 10_000;
        List<String> known = keys(many / 5, many / 5 + many / 10);
        inTransaction(() -> inbox.onceAll(CONSUMER, known, k -> k, fresh -> effect("first")));
        List<String> all = new ArrayList<>(keys(0, many));
        all.addAll(keys(many - many / 20, many)); // twice in one delivery

        List<String> fresh = inTransaction(() -> inbox.onceAll(CONSUMER, all, k -> k, news -> {
            assertThat(news).hasSize(many - many / 10);
            effect("second");
        }));
        assertThat(fresh)
                .hasSize(many - many / 10)
                .startsWith("event-0", "event-1")
                .endsWith("event-" + (many - 1));
        assertThat(fresh).doesNotContainAnyElementsOf(known.subList(0, 100));

        assertThat(inTransaction(() -> inbox.onceAll(CONSUMER, all, k -> k, news -> effect("third"))))
                .isEmpty();
        assertThat(effectKeys()).containsExactly("first", "second");
        assertThat(rows("acidq_inbox")).isEqualTo(many);
    }

    @Test
    void undoesAllKeysWhenTheirWorkThrows() throws Exception {
        inTransaction(() -> {
            assertThatThrownBy(() -> inbox.onceAll(CONSUMER, keys(0, 1000), k -> k, fresh -> {
                        effect("half");
                        throw new IllegalStateException("no stock");
                    }))
                    .hasMessage("no stock");
            return inbox.onceAll(CONSUMER, keys(0, 2), k -> k, fresh -> effect("two"));
        });

        assertThat(effectKeys()).containsExactly("two");
        assertThat(rows("acidq_inbox")).isEqualTo(2);
        assertThat(inTransaction(() -> inbox.onceAll(CONSUMER, List.<String>of(), k -> k, fresh -> effect("none"))))
                .isEmpty();
    }

    @Test
    void keepsKeysForTheRetentionOfTheCall() throws Exception {
        inTransaction(() -> inbox.once(CONSUMER, "week", () -> {}));
        inTransaction(() -> inbox.withRetention(Duration.ofHours(5)).once(CONSUMER, "hours", () -> {}));

        assertThat(hoursLeft("week")).isBetween(7 * 24 - 1L, 7 * 24L);
        assertThat(hoursLeft("hours")).isBetween(4L, 5L);
        assertThatThrownBy(() -> inbox.withRetention(Duration.ZERO))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("1 s to 36500 days");
    }

    @Test
    void runsTheWorkAgainAfterTheRetentionAndRemovesOldKeysWithoutListeners() throws Exception {
        inTransaction(() -> inbox.onceAll(CONSUMER, keys(0, 1200), k -> k, fresh -> {}));
        inTransaction(() -> inbox.once("kept", "k", () -> {}));
        sql("UPDATE acidq_inbox SET kept_until = done_at WHERE consumer = 'billing'");
        assertThat(inTransaction(() -> inbox.once(CONSUMER, "event-7", () -> effect("again")))
                        .ran())
                .isTrue();

        engine(e -> e); // the cleaner needs three rounds
        awaitRows("acidq_inbox", 2);
        assertThat(inTransaction(() -> inbox.once(CONSUMER, "event-7", () -> effect("third")))
                        .isDuplicate())
                .isTrue();
    }

    @Test
    void runsTheWorkElsewhereWhenTheProcessIsKilledBetweenItsEffectsAndTheCommit() throws Exception {
        try (EngineProcess victim = new EngineProcess(StoppedInsideItsWork.class, pool)) {
            awaitUntil(() -> victim.hasPrinted("inside"));
            assertThat(effectKeys()).as("not committed").isEmpty();
            victim.kill();
        }
        assertThat(call("fatal", false)).isTrue();
        assertThat(effectKeys()).containsExactly("fatal");
    }

    /** A process that stops after the effects of its work and before the commit. */
    static final class StoppedInsideItsWork {

        public static void main(String[] args) throws Exception {
            HikariDataSource pool = EngineProcess.pool(args, 2);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Inbox inbox = Engine.builder(MyBatisStore.over(pool, transactions))
                    .build()
                    .inbox();
            transactions.run(() -> inbox.once(CONSUMER, "fatal", () -> {
                insertEffect(transactions.connection(), new Step("fatal", 1), 0);
                System.out.println("inside");
                System.in.read(); // nothing is ever written
            }));
        }
    }

    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "event-" + i).toList();
    }

    private long hoursLeft(String key) {
        return count("SELECT TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP(6), kept_until) FROM acidq_inbox WHERE p_key = '" + key
                + "'");
    }

    private List<String> effectKeys() {
        return strings("SELECT k FROM effect ORDER BY id");
    }

    private void effect(String k) throws SQLException {
        insertEffect(new Step(k, 1), 0);
    }

    private <T> T inTransaction(Callable<T> work) throws Exception {
        return transactions.call(work::call);
    }
}
