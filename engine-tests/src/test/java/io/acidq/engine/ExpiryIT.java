package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.Enqueued;
import io.acidq.HandlerTimeoutException;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.Receipt;
import io.acidq.admin.Operator;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.QueueConfig.ExpiryAction;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that expire before they are started, on a real server. */
@AnyServer(ServerKind.MARIADB)
class ExpiryIT extends FreshEngineTests {

    private static final String Q = "offers";
    private static final Duration HOUR = Duration.ofHours(1);

    /** Enqueues a message and waits until it has expired. */
    private MessageId enqueueExpired(Step step) {
        MessageId id = enqueue(Q, step, options().orderingKey(step.k()).expiresAfter(Duration.ofMillis(1)))
                .id();
        awaitRows("acidq_message WHERE expires_at > UTC_TIMESTAMP(6)", 0);
        return id;
    }

    private Engine deadOnExpiry(Listener<?> listener) {
        return engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnExpiry(ExpiryAction.DEAD)))
                .listen(listener));
    }

    private String lastError() {
        return deadLetters().list(Q, 1).get(0).error();
    }

    @Test
    void dropsAnExpiredMessageWithoutItsHandlerAndRunsTheNextOfItsKey() {
        enqueueExpired(new Step("a", 1));
        enqueueOrdered(Q, "a", 2);
        Queue<String> expired = new ConcurrentLinkedQueue<>();
        engine(e -> e.listen(on(Q, this::effect)).telemetry(new Telemetry() {
            @Override
            public void expired(MessageId id, Outcome outcome) {
                expired.add(outcome.getClass().getSimpleName());
            }
        }));
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("2");
        assertThat(rows("acidq_dead")).isZero();
        assertThat(expired).containsExactly("Cancelled");
    }

    @Test
    void deadLettersAnExpiredMessageAndRunsItAfterAReplay() {
        MessageId id = enqueueExpired(new Step("a", 1));
        deadOnExpiry(on(Q, this::effect));
        awaitRows("acidq_dead", 1);
        assertThat(lastError()).startsWith("expired at ").endsWith(", before it was started");
        assertThat(effects()).isZero();
        deadLetters().replay(id, new Operator("ann", "still wanted"));
        awaitDrained();
        assertThat(effects()).isOne();
    }

    @Test
    void doesNotStartAMessageThatExpiresInTheBuffer() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        listen(on(Q, (step, delivery) -> {
                    started.countDown();
                    release.await();
                    return effect(step, delivery);
                })
                .withConcurrency(1));
        enqueue(Q, new Step("a", 1));
        started.await();
        enqueue(Q, new Step("a", 2), options().expiresAfter(Duration.ofSeconds(2)));
        awaitRows("acidq_message WHERE owner <> 0", 2);
        awaitRows("acidq_message WHERE expires_at > UTC_TIMESTAMP(6)", 0);
        release.countDown();
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("1");
    }

    @Test
    void leavesExpiredMessagesOutOfASharedTransaction() {
        enqueueExpired(new Step("a", 1));
        place(Q, 2, 5);
        listen(on(Q, this::effect).withConcurrency(1).withTransactionSize(10));
        awaitDrained();
        assertThat(effects()).isEqualTo(4);
    }

    @Test
    void leavesExpiredMessagesOutOfABatch() {
        enqueueExpired(new Step("a", 1));
        place(Q, 2, 5);
        listen(Listener.onBatch(Q, Step.class, 10, items -> {
                    for (var item : items) {
                        insertEffect(item.payload(), 1);
                    }
                    return io.acidq.BatchHandler.allDone(items);
                })
                .withConcurrency(1));
        awaitDrained();
        assertThat(effects()).isEqualTo(4);
    }

    /** With their receipts and the messages behind them; see {@link ExpiredFigures}. */
    @ParameterizedTest
    @EnumSource(ExpiryAction.class)
    void endsManyExpiredMessagesInFewTransactions(ExpiryAction action) throws Exception {
        AtomicInteger ends = new AtomicInteger();
        Predicate<String> isEnd = sql -> sql.contains("INSERT INTO acidq_dead") || sql.contains("DELETE m FROM");
        reopen(
                config -> {},
                pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
                    @Override
                    public void beforeCommit(List<String> statements) {
                        ends.addAndGet(statements.stream().anyMatch(isEnd) ? 1 : 0);
                    }
                }));
        var inAMillisecond = options().expiresAfter(Duration.ofMillis(1));
        List<NewMessage> expiring = IntStream.range(0, 200)
                .mapToObj(i -> new NewMessage(
                        new Step("a", i),
                        (i % 2 == 0 ? inAMillisecond : inAMillisecond.orderingKey("k" + i % 20)).receipt()))
                .toList();
        List<MessageId> ids = transactions.call(() -> queue().enqueueAll(Q, expiring)).stream()
                .map(Enqueued::id)
                .toList();
        awaitRows("acidq_message WHERE expires_at > UTC_TIMESTAMP(6)", 0);
        enqueueOrdered(Q, "k1", 1);
        Queue<MessageId> expired = new ConcurrentLinkedQueue<>();
        engine(e -> e.config(QUICK.withQueue(
                        Q, QueueConfig.defaults().withOnExpiry(action).withOnDeadHead(DeadHeadPolicy.SKIP)))
                .listen(on(Q, this::effect).withConcurrency(1))
                .telemetry(new Telemetry() {
                    @Override
                    public void expired(MessageId id, Outcome outcome) {
                        expired.add(id);
                    }
                }));
        awaitDrained();
        awaitUntil(() -> expired.size() == 200);
        assertThat(expired).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(rows("acidq_dead")).isEqualTo(action == ExpiryAction.DEAD ? 200 : 0);
        assertThat(rows("acidq_receipt WHERE state = '" + (action == ExpiryAction.DEAD ? "DEAD" : "EXPIRED") + "'"))
                .isEqualTo(200);
        assertThat(effects()).isOne();
        assertThat(ends.get()).isLessThan(100);
    }

    @Test
    void keepsTheExpiryInTheScheduleAfterARetryAndInADeadLetterAndItsReplay() {
        MessageId id = enqueue(Q, new Step("a", 1), options().delay(HOUR).expiresAfter(HOUR))
                .id();
        assertThat(rows("acidq_scheduled WHERE expires_at = preexec_time + INTERVAL 1 HOUR"))
                .isOne();
        String expiry = strings("SELECT expires_at FROM acidq_scheduled").get(0);
        sql("UPDATE acidq_scheduled SET preexec_time = UTC_TIMESTAMP(6)");
        Engine engine = listen(on(Q, (step, delivery) -> {
                    insertEffect(transactions.connection(), step, delivery.attempt());
                    return delivery.attempt() == 1 ? Outcome.retryAfter(HOUR.dividedBy(2)) : Outcome.dead("no");
                })
                .withRetry(RetryPolicy.defaults()));
        awaitRows("acidq_scheduled WHERE attempts = 1 AND expires_at = '" + expiry + "'", 1);
        sql("UPDATE acidq_scheduled SET preexec_time = UTC_TIMESTAMP(6)");
        awaitRows("acidq_dead WHERE expires_at = '" + expiry + "'", 1);
        engine.close();
        deadLetters().replay(id, new Operator("ann", "again"));
        assertThat(rows("acidq_message WHERE expires_at = '" + expiry + "'")).isOne();
    }

    @Test
    void keepsTheExpiryOfParkedMessages() {
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK)))
                .listen(on(Q, (step, delivery) -> step.seq() == 1 ? Outcome.dead("no") : effect(step, delivery))));
        enqueueOrdered(Q, "a", 1);
        awaitRows("acidq_dead", 1);
        enqueue(Q, new Step("a", 2), options().orderingKey("a").expiresAfter(HOUR));
        awaitRows("acidq_parked WHERE expires_at > UTC_TIMESTAMP(6)", 1);
        sql("UPDATE acidq_parked SET expires_at = UTC_TIMESTAMP(6)");
        deadLetters().discard(deadLetters().list(Q, 1).get(0).id());
        awaitDrained();
        assertThat(effects()).isZero();
    }

    @Test
    void plansNoRetryAfterTheExpiry() {
        listen(on(Q, (step, delivery) -> {
                    throw new IllegalStateException("no");
                })
                .withRetry(RetryPolicy.defaults().withFixedBackoff(HOUR)));
        enqueue(Q, new Step("a", 1), options().expiresAfter(Duration.ofMinutes(10)));
        awaitRows("acidq_dead", 1);
        assertThat(lastError())
                .startsWith("no start is left before its expiry at ")
                .contains("IllegalStateException");
    }

    @Test
    void expiresAMessageThatIsSnoozedBeyondItsExpiry() throws Exception {
        Queue<String> expired = new ConcurrentLinkedQueue<>();
        engine(e -> e.listen(on(Q, (step, delivery) -> Outcome.snooze(HOUR))).telemetry(new Telemetry() {
            @Override
            public void expired(MessageId id, Outcome outcome) {
                expired.add(outcome.getClass().getSimpleName());
            }
        }));
        MessageId id = enqueue(
                        Q,
                        new Step("a", 1),
                        options().expiresAfter(Duration.ofMinutes(10)).receipt())
                .id();
        awaitUntil(() -> expired.contains("Cancelled"));
        assertThat(sender().receipts().find(id).orElseThrow().state()).isEqualTo(Receipt.State.EXPIRED);
    }

    /** The dead letter said that it was never started. */
    @Test
    void saysThatAMessageWasSnoozedBeyondItsExpiry() {
        deadOnExpiry(on(Q, (step, delivery) -> Outcome.snooze(HOUR)));
        enqueue(Q, new Step("a", 1), options().expiresAfter(Duration.ofMinutes(10)));
        awaitRows("acidq_dead", 1);
        assertThat(lastError()).startsWith("was snoozed beyond its expiry at ");
    }

    @Test
    void endsARunAtItsExpiryIfThatIsItsDeadline() {
        listen(on(Q, (step, delivery) -> {
                    assertThat(delivery.expiresAt()).isPresent();
                    new CountDownLatch(1).await();
                    return Outcome.done();
                })
                .withDeadline());
        enqueue(Q, new Step("a", 1), options().expiresAfter(Duration.ofSeconds(3)));
        awaitRows("acidq_dead", 1);
        assertThat(lastError()).contains("ran past the expiry of its message");
    }

    /** The messages that have expired meanwhile are dropped without another failure. */
    @Test
    void reportsThatABatchRanPastTheExpiryOfAMessage() {
        Queue<Throwable> causes = new ConcurrentLinkedQueue<>();
        place(Q, 1, 2);
        sql("UPDATE acidq_message SET expires_at = UTC_TIMESTAMP(6) + INTERVAL 3 SECOND");
        engine(e -> e.listen(Listener.onBatch(Q, Step.class, 10, items -> {
                            new CountDownLatch(1).await();
                            return io.acidq.BatchHandler.allDone(items);
                        })
                        .withConcurrency(1)
                        .withDeadline())
                .telemetry(new Telemetry() {
                    @Override
                    public void batchSplit(String queue, int messages, Throwable failure) {
                        causes.add(failure);
                    }
                }));
        awaitDrained();
        assertThat(causes).singleElement().isInstanceOf(HandlerTimeoutException.class);
        assertThat(causes.element()).hasMessageContaining("ran past the expiry of its message");
        assertThat(rows("acidq_dead")).isZero();
    }

    @Test
    void takesTheTimeToLiveOfTheQueueAndOfASubscription() {
        sender().subscriptions().subscribe("t", "s");
        QueueConfig hour = QueueConfig.defaults().withExpiresAfter(HOUR);
        Engine engine = Engine.builder(store)
                .config(QUICK.withQueue(Q, hour).withQueue("t/s", hour))
                .build();
        transactions.run(() -> {
            engine.queue().enqueue(Q, new Step("a", 1));
            engine.queue().publish("t", new Step("a", 2));
            engine.queue().enqueue(Q, new Step("a", 3), options().expiresAfter(HOUR.multipliedBy(2)));
        });
        assertThat(strings("SELECT TIMESTAMPDIFF(HOUR, enqueued_at, expires_at) FROM acidq_message ORDER BY id"))
                .containsExactly("1", "1", "2");
    }

    @Test
    void takesATimeToLiveOrAnInstant() {
        MessageQueue queue = queue();
        Step offer = new Step("a", 1);
        Instant validUntil = Instant.parse("2100-01-02T03:04:05Z");
        transactions.run(() -> {
            // snippet:expires
            queue.enqueue("offer.push", offer, options().expiresAfter(Duration.ofMinutes(10)));
            queue.enqueue("offer.push", offer, options().expiresAt(validUntil));
            // /snippet
        });
        assertThat(rows("acidq_message WHERE expires_at = enqueued_at + INTERVAL 10 MINUTE"))
                .isOne();
        assertThat(rows("acidq_message WHERE expires_at = '2100-01-02 03:04:05'"))
                .isOne();
    }

    @Test
    void storesTheExpiryOfEachMessageOfABulkInItsOrder() {
        Instant at = Instant.parse("2100-01-02T03:04:05.678901Z");
        enqueueAll(
                Q,
                List.of(
                        new NewMessage(new Step("a", 1), options()),
                        new NewMessage(new Step("a", 2), options().expiresAt(at)),
                        new NewMessage(new Step("a", 3), options().expiresAfter(HOUR))));
        assertThat(strings("SELECT COALESCE(IF(expires_at = enqueued_at + INTERVAL 1 HOUR, 'hour', expires_at), 'none')"
                        + " FROM acidq_message ORDER BY id"))
                .containsExactly("none", "2100-01-02 03:04:05.678901", "hour");
    }

    @Test
    void replacesTheExpiryWithTheMessage() {
        var replace = options().key("k").onDuplicate(OnDuplicate.replace()).delay(HOUR);
        enqueue(Q, new Step("a", 1), replace.expiresAfter(HOUR));
        enqueue(Q, new Step("a", 2), replace);
        assertThat(rows("acidq_scheduled WHERE expires_at IS NULL")).isOne();
        enqueue(Q, new Step("a", 3), replace.expiresAfter(HOUR));
        assertThat(rows("acidq_scheduled WHERE expires_at = preexec_time + INTERVAL 1 HOUR"))
                .isOne();
    }
}
