package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Enqueued.Result;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.MessageQueue.RescheduleResult;
import io.acidq.MessageQueue.WithdrawResult;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Messages.CancelResult;
import io.acidq.admin.Operator;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Withdrawing and rescheduling messages that wait for their due time, on a real server. */
@AnyServer(ServerKind.MYSQL)
class WithdrawIT extends FreshEngineTests {

    private static final String Q = "reminders";
    private static final Duration HOUR = Duration.ofHours(1);

    private void schedule(String key, Duration delay) {
        enqueue(Q, new Step(key, 1), options().key(key).delay(delay));
    }

    private WithdrawResult withdraw(String key) {
        return transactions.call(() -> queue().withdraw(Q, key));
    }

    private RescheduleResult reschedule(String key, Duration delay) {
        return transactions.call(() -> queue().reschedule(Q, key, delay));
    }

    @Test
    void withdrawsAScheduledMessageAndFreesItsKey() {
        schedule("cart", HOUR);
        assertThat(withdraw("cart")).isEqualTo(WithdrawResult.WITHDRAWN);
        assertThat(rows("acidq_scheduled") + rows("acidq_key")).isZero();
        assertThat(withdraw("cart")).isEqualTo(WithdrawResult.UNKNOWN);
        assertThat(enqueue(Q, new Step("cart", 2), options().key("cart")).result())
                .isEqualTo(Result.ENQUEUED);
    }

    @Test
    void takesAReminderBackOrMovesIt() {
        MessageQueue queue = queue();
        String cart = "cart-7";
        schedule(cart, HOUR);
        transactions.run(() -> {
            // snippet:withdraw
            RescheduleResult moved = queue.reschedule("reminders", cart, Duration.ofDays(2));
            WithdrawResult withdrawn = queue.withdraw("reminders", cart);
            // /snippet
            assertThat(moved).isEqualTo(RescheduleResult.RESCHEDULED);
            assertThat(withdrawn).isEqualTo(WithdrawResult.WITHDRAWN);
        });
    }

    @Test
    void changesNothingWhenTheTransactionRollsBack() {
        schedule("cart", HOUR);
        assertThatThrownBy(() -> transactions.run(() -> {
                    assertThat(queue().withdraw(Q, "cart")).isEqualTo(WithdrawResult.WITHDRAWN);
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(withdraw("cart")).isEqualTo(WithdrawResult.WITHDRAWN);
    }

    @Test
    void withdrawsWhatItsOwnTransactionHasScheduled() {
        transactions.run(() -> {
            queue().enqueue(Q, new Step("cart", 1), options().key("cart").delay(HOUR));
            assertThat(queue().reschedule(Q, "cart", HOUR.multipliedBy(2))).isEqualTo(RescheduleResult.RESCHEDULED);
            assertThat(queue().withdraw(Q, "cart")).isEqualTo(WithdrawResult.WITHDRAWN);
        });
        assertThat(rows("acidq_scheduled") + rows("acidq_key")).isZero();
    }

    @Test
    void refusesADueTimeAfterWhichNoExpiryIsLeft() {
        enqueue(Q, new Step("cart", 1), options().key("cart").delay(HOUR).expiresAfter(Duration.ofDays(365_000)));
        Instant last = Instant.parse("9998-12-31T00:00:00Z");
        assertThatThrownBy(() -> transactions.call(() -> queue().reschedule(Q, "cart", last)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("reschedule in '" + Q + "'")
                .hasMessageContaining("its expiry moves by the same time and would lie after the year 9999");
        assertThat(reschedule("cart", HOUR.multipliedBy(2))).isEqualTo(RescheduleResult.RESCHEDULED);
    }

    @Test
    void isTooLateForAMessageThatIsDueOrDone() {
        enqueue(Q, new Step("now", 1), options().key("now"));
        schedule("soon", Duration.ofMillis(1));
        awaitRows("acidq_scheduled WHERE preexec_time > UTC_TIMESTAMP(6)", 0);
        for (String key : List.of("now", "soon")) {
            assertThat(withdraw(key)).as(key).isEqualTo(WithdrawResult.TOO_LATE);
            assertThat(reschedule(key, HOUR)).as(key).isEqualTo(RescheduleResult.TOO_LATE);
        }
        listen(Q, this::effect);
        awaitDrained();
        assertThat(withdraw("soon")).isEqualTo(WithdrawResult.TOO_LATE);
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void knowsNoMessageOfAnotherKeyOrQueueAndCreatesNoQueue() {
        schedule("cart", HOUR);
        assertThat(withdraw("other")).isEqualTo(WithdrawResult.UNKNOWN);
        assertThat(transactions.call(() -> queue().withdraw("never.used", "cart")))
                .isEqualTo(WithdrawResult.UNKNOWN);
        assertThat(transactions.call(() -> queue().reschedule("never.used", "cart", HOUR)))
                .isEqualTo(RescheduleResult.UNKNOWN);
        assertThat(rows("acidq_queue WHERE name = 'never.used'")).isZero();
    }

    @Test
    void runsARescheduledMessageAtItsNewTimeWithItsExpiryMoved() {
        enqueue(Q, new Step("cart", 1), options().key("cart").delay(HOUR).expiresAfter(HOUR));
        assertThat(reschedule("cart", HOUR.multipliedBy(48))).isEqualTo(RescheduleResult.RESCHEDULED);
        assertThat(
                        rows(
                                "acidq_scheduled s JOIN acidq_key k ON k.uid = s.uid WHERE k.due = s.preexec_time"
                                        + " AND s.first_due = s.preexec_time AND s.expires_at = s.preexec_time + INTERVAL 1 HOUR"
                                        + " AND k.kept_until > s.preexec_time AND s.preexec_time > UTC_TIMESTAMP(6) + INTERVAL 47 HOUR"))
                .isOne();
        listen(Q, this::effect);
        transactions.run(
                () -> assertThat(queue().reschedule(Q, "cart", Instant.EPOCH)).isEqualTo(RescheduleResult.RESCHEDULED));
        awaitDrained();
        assertThat(effects()).isOne();
    }

    /** The window is the period of the enqueue, or that of the configuration of the application that has enqueued. */
    @Test
    void movesTheWindowOfTheKeyByTheSameTime() {
        enqueue(
                Q,
                new Step("cart", 1),
                options()
                        .key("cart")
                        .onDuplicate(OnDuplicate.throttle(Duration.ofDays(30)))
                        .delay(HOUR));
        String window = "SELECT TIMESTAMPDIFF(SECOND, due, kept_until) FROM acidq_key";
        List<String> before = strings(window);
        assertThat(reschedule("cart", HOUR.multipliedBy(3))).isEqualTo(RescheduleResult.RESCHEDULED);
        assertThat(strings(window)).isEqualTo(before);
    }

    @Test
    void replacesAndWithdrawsARescheduledMessage() {
        var replace = options().key("cart").onDuplicate(OnDuplicate.replace()).delay(HOUR);
        enqueue(Q, new Step("cart", 1), replace);
        assertThat(reschedule("cart", HOUR.multipliedBy(3))).isEqualTo(RescheduleResult.RESCHEDULED);
        assertThat(enqueue(Q, new Step("cart", 2), replace).result()).isEqualTo(Result.REPLACED);
        assertThat(rows("acidq_scheduled WHERE preexec_time < UTC_TIMESTAMP(6) + INTERVAL 2 HOUR"))
                .isOne();
        assertThat(withdraw("cart")).isEqualTo(WithdrawResult.WITHDRAWN);
        assertThat(rows("acidq_scheduled")).isZero();
    }

    @Test
    void withdrawsFromOneSubscription() {
        sender().subscriptions().subscribe("t", "a");
        sender().subscriptions().subscribe("t", "b");
        transactions.run(
                () -> queue().publish("t", new Step("x", 1), options().key("x").delay(HOUR)));
        assertThat(transactions.call(() -> queue().withdraw("t/a", "x"))).isEqualTo(WithdrawResult.WITHDRAWN);
        assertThat(strings("SELECT q.name FROM acidq_scheduled s JOIN acidq_queue q ON q.id = s.queue"))
                .containsExactly("t/b");
    }

    @Test
    void refusesBadInputBeforeAnySql() {
        assertThatThrownBy(() -> queue().withdraw(Q, "cart"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("withdraw from 'reminders' needs a transaction");
        assertThatThrownBy(() -> queue().withdraw("no/t/valid", "cart")).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> queue().withdraw(Q, ""))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("key must have 1 to 255 bytes");
        assertThatThrownBy(() -> queue().reschedule(Q, "cart", Duration.ofSeconds(-1)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("was PT-1S");
        assertThatThrownBy(() -> queue().reschedule(Q, "cart", (Duration) null))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("the delay of a reschedule is null");
    }

    @Test
    void locksNothingForAnUnknownKeyAndOnlyOneMessageForAKnownOne() throws Exception {
        schedule("m", HOUR);
        CountDownLatch changed = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<?> holder = threads.submit(() -> {
            transactions.run(() -> {
                queue().withdraw(Q, "unknown");
                queue().withdraw(Q, "m");
                changed.countDown();
                release.await();
            });
            return null;
        });
        try {
            changed.await();
            List<NewMessage> neighbours = IntStream.range(0, 50)
                    .mapToObj(i -> new NewMessage(
                            new Step("n", i),
                            options().key(i % 2 == 0 ? "l" + i : "unknown" + i).delay(HOUR)))
                    .toList();
            transactions.run(() -> {
                execute("SET SESSION innodb_lock_wait_timeout = 2");
                queue().enqueueAll(Q, neighbours);
            });
        } finally {
            release.countDown();
            holder.get();
            threads.shutdown();
        }
        assertThat(rows("acidq_scheduled")).isEqualTo(50);
    }

    /** At REPEATABLE READ, a statement that finds no row at a place would lock the gap. */
    @Test
    void holdsUpNobodyWhenAnOperatorHasCancelledTheMessage() throws Exception {
        reopen(config -> config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"), pool -> pool);
        schedule("cart", HOUR);
        MessageId id = sender().receipts().findByKey(Q, "cart").orElseThrow().id();
        assertThat(sender().messages().cancel(id, new Operator("ann", "INC-4711")))
                .isEqualTo(CancelResult.CANCELLED);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            transactions.call(() -> {
                assertThat(queue().withdraw(Q, "cart")).isEqualTo(WithdrawResult.TOO_LATE);
                assertThat(queue().reschedule(Q, "cart", HOUR)).isEqualTo(RescheduleResult.TOO_LATE);
                return threads.submit(() -> schedule("other", HOUR)).get(30, TimeUnit.SECONDS);
            });
        } finally {
            threads.shutdown();
        }
        assertThat(rows("acidq_scheduled")).isOne();
    }

    @Test
    void isTooLateWhenTheMoverHasLockedTheMessageFirst() throws Exception {
        schedule("cart", HOUR);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Connection mover = pool.getConnection()) {
            mover.setAutoCommit(false);
            mover.createStatement().executeUpdate("DELETE FROM acidq_scheduled"); // as the mover does after its copy
            Future<WithdrawResult> withdrawn = threads.submit(() -> withdraw("cart"));
            // the server gives the same answer again to who asks within 0.1 s
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(150))
                    .until(() ->
                            count("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
                                    > 0);
            mover.commit();
            assertThat(withdrawn.get()).isEqualTo(WithdrawResult.TOO_LATE);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void isMovedAroundByTheMoverWhileItIsWithdrawn() {
        schedule("cart", HOUR);
        schedule("next", Duration.ofMillis(1));
        transactions.run(() -> {
            assertThat(queue().withdraw(Q, "cart")).isEqualTo(WithdrawResult.WITHDRAWN);
            listen(Q, this::effect);
            awaitUntil(() -> effects() == 1); // the mover was not held up
        });
        assertThat(rows("acidq_scheduled")).isZero();
    }

    /** Each answer is compared with what has happened. */
    @Test
    void answersTruthfullyInARaceAgainstTheMover() throws Exception {
        int messages = 300;
        listen(Q, this::effect);
        transactions.run(() -> {
            for (int i = 0; i < messages; i++) {
                queue().enqueue(Q, new Step("k" + i, i), options().key("k" + i).delay(raceDelay(i, messages)));
            }
        });
        Map<String, Boolean> won = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            int first = thread;
            running.add(threads.submit(() -> {
                for (int i = first; i < messages; i += 3) {
                    String key = "k" + i;
                    if (i < messages - 10) {
                        awaitDue(key);
                    }
                    won.put(
                            key,
                            first == 0
                                    ? reschedule(key, HOUR) == RescheduleResult.RESCHEDULED
                                    : withdraw(key) == WithdrawResult.WITHDRAWN);
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdown();
        awaitRows("acidq_scheduled WHERE preexec_time < UTC_TIMESTAMP(6) + INTERVAL 30 MINUTE", 0);
        awaitRows("acidq_message", 0);
        List<String> run = strings("SELECT k FROM effect");
        assertThat(run).doesNotHaveDuplicates();
        for (int i = 0; i < messages; i++) {
            assertThat(run.contains("k" + i)).as("k" + i).isEqualTo(!won.get("k" + i));
        }
        assertThat(won.values()).as("both sides won").contains(true, false);
    }

    /** The first ones are due at once and the last ones much later, so that both sides win some on each machine. */
    private static Duration raceDelay(int i, int messages) {
        if (i >= messages - 10) {
            return HOUR;
        }
        return i < 10 ? Duration.ofMillis(1) : Duration.ofMillis(1500 + 10L * i);
    }

    /** Waits until a message is due in about a millisecond, so that the call meets the mover. */
    private void awaitDue(String key) {
        awaitUntil(() -> count("SELECT COUNT(*) FROM acidq_key WHERE p_key = '" + key
                        + "' AND due < UTC_TIMESTAMP(6) + INTERVAL 3000 MICROSECOND")
                > 0);
    }
}
