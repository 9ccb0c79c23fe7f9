package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.Receipt.State;
import io.acidq.Receipts;
import io.acidq.Receipts.Committed;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.codec.UndecodableException;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Receipts and results, on a real server. */
@AnyServer(ServerKind.MYSQL)
class ReceiptIT extends FreshEngineTests {

    private static final String Q = "quotes";
    private static final Duration HOUR = Duration.ofHours(1);

    /** A result that cannot be encoded. */
    static final class Unencodable {

        public String getText() {
            throw new IllegalStateException("no text");
        }
    }

    /** The result of a handler. */
    record Quote(long price) {}

    private Receipts receipts() {
        return sender().receipts();
    }

    private Receipt ended(MessageId id) throws InterruptedException {
        Receipt receipt = receipts().await(id, PATIENCE).orElseThrow();
        assertThat(receipt.isEnded()).as("%s", receipt).isTrue();
        return receipt;
    }

    private void listenForQuotes() {
        listen(Q, (step, delivery) -> {
            insertEffect(step, delivery.node());
            return Outcome.done(new Quote(step.seq() * 10));
        });
    }

    // ---- results

    @Test
    void returnsTheResultOfAHandlerOfAnotherEngine() throws Exception {
        Enqueued enqueued = enqueue(Q, new Step("a", 7), options().result(HOUR));
        assertThat(receipts().await(enqueued.id(), Duration.ZERO))
                .hasValueSatisfying(receipt -> assertThat(receipt.state()).isEqualTo(State.PENDING));
        listenForQuotes();
        Receipt receipt = ended(enqueued.id());
        assertThat(receipt.state()).isEqualTo(State.DONE);
        assertThat(receipt.result(Quote.class)).contains(new Quote(70));
        assertThat(receipt.keptUntil()).contains(receipt.endedAt().orElseThrow().plus(HOUR));
        assertThatThrownBy(() -> receipt.result(Step.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContainingAll("the result of " + enqueued.id(), "'Quote'", Step.class.getName());
    }

    /** The work was done again at each retry. */
    @Test
    void keepsTheOutcomeOfExternalWorkWhoseResultCannotBeKept() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        listen(on(Q, (step, delivery) -> {
                    runs.incrementAndGet();
                    return step.seq() == 1 ? Outcome.done("x".repeat(70_000)) : Outcome.done(new Unencodable());
                })
                .external());
        Receipt tooLarge =
                ended(enqueue(Q, new Step("a", 1), options().result(HOUR)).id());
        assertThat(tooLarge.state()).isEqualTo(State.DONE);
        assertThat(tooLarge.result(String.class)).isEmpty();
        assertThat(tooLarge.encodedResult()).isEmpty();
        assertThat(tooLarge.resultError())
                .hasValueSatisfying(error -> assertThat(error).contains("has 70002 bytes, at most 65535 are kept"));
        Receipt unencodable =
                ended(enqueue(Q, new Step("a", 2), options().result(HOUR)).id());
        assertThat(unencodable.state()).isEqualTo(State.DONE);
        assertThat(unencodable.resultError()).isPresent();
        assertThat(runs).hasValue(2);
    }

    /** The exception of the pool came through, which says nothing of an interrupt. */
    @Test
    void isInterruptedWhileItWaitsForAConnection() throws Exception {
        reopen(config -> config.setMaximumPoolSize(3), pool -> pool);
        MessageId id = enqueue(Q, new Step("a", 1), options().receipt()).id();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                receipts().await(id, PATIENCE);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection();
                Connection third = pool.getConnection()) {
            waiting.start();
            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
            waiting.interrupt();
            waiting.join();
        }
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class).hasMessageContaining(id.toString());
    }

    @Test
    void saysThatATimeToWaitIsMissing() {
        MessageId id = enqueue(Q, new Step("a", 1), options().receipt()).id();
        assertThatThrownBy(() -> receipts().await(id, null))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("the time to wait for " + id + " is null");
    }

    @Test
    void keepsNoResultThatNobodyHasAskedFor() throws Exception {
        listenForQuotes();
        Receipt receipt =
                ended(enqueue(Q, new Step("a", 7), options().receipt()).id());
        assertThat(receipt.state()).isEqualTo(State.DONE);
        assertThat(receipt.result(Quote.class)).isEmpty();
        enqueue(Q, new Step("b", 7));
        awaitDrained();
        assertThat(rows("acidq_receipt")).isOne();
    }

    @Test
    void returnsTheResultsOfABulkWhoseMessagesShareATransaction() throws Exception {
        List<NewMessage> messages = new ArrayList<>();
        for (int seq = 1; seq <= 30; seq++) {
            messages.add(new NewMessage(
                    new Step("bulk", seq), seq % 3 == 0 ? options() : options().result(HOUR)));
        }
        List<Enqueued> all = enqueueAll(Q, messages);
        assertThat(rows("acidq_receipt")).isEqualTo(20);
        listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.done(new Quote(step.seq())))
                .withTransactionSize(10));
        awaitDrained();
        for (int i = 0; i < all.size(); i++) {
            MessageId id = all.get(i).id();
            if (id.hasReceipt()) {
                assertThat(ended(id).result(Quote.class)).contains(new Quote(i + 1));
            } else {
                assertThat(receipts().find(id)).isEmpty();
            }
        }
    }

    @Test
    void returnsTheResultsOfABatchHandlerAndTheOtherOutcomesOfItsMessages() throws Exception {
        Enqueued one = enqueue(Q, new Step("one", 1), options().result(HOUR));
        Enqueued two = enqueue(Q, new Step("two", 2), options().result(HOUR));
        Enqueued three = enqueue(Q, new Step("three", 3), options().result(HOUR));
        BatchHandler<Step> handler = items -> items.stream()
                .map(Item::payload)
                .map(step -> step.seq() == 2 ? Outcome.cancel("not wanted") : Outcome.done(new Quote(step.seq())))
                .toList();
        listen(Listener.onBatch(Q, Step.class, 10, handler));
        assertThat(ended(one.id()).result(Quote.class)).contains(new Quote(1));
        assertThat(ended(two.id()).state()).isEqualTo(State.CANCELLED);
        assertThat(ended(three.id()).result(Quote.class)).contains(new Quote(3));
    }

    @Test
    void keepsTheResultOfExternalWorkAndOfAnArchivedMessage() throws Exception {
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withArchiveRetention(HOUR)))
                .listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.done(new Quote(step.seq())))
                        .withOptions(HandlerOptions.defaults().withMode(HandlerMode.EXTERNAL))));
        assertThat(ended(enqueue(Q, new Step("a", 7), options().result(HOUR)).id())
                        .result(Quote.class))
                .contains(new Quote(7));
        assertThat(rows("acidq_archive")).isOne();
    }

    @Test
    void keepsTheResultOfTheRunWhoseEffectsCommit() throws Exception {
        listen(Q, (step, delivery) -> {
            insertEffect(step, delivery.attempt());
            if (delivery.attempt() < 3) {
                throw new IllegalStateException("fails");
            }
            return Outcome.done(new Quote(delivery.attempt()));
        });
        assertThat(ended(enqueue(Q, new Step("a", 1), options().result(HOUR)).id())
                        .result(Quote.class))
                .contains(new Quote(3));
        assertThat(strings("SELECT tag FROM effect")).containsExactly("3");
    }

    @Test
    void failsTheMessageWhoseResultIsTooLarge() throws Exception {
        listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.done("x".repeat(70_000)))
                .withRetry(ONE_ATTEMPT));
        Enqueued withResult = enqueue(Q, new Step("a", 1), options().result(HOUR));
        assertThat(ended(withResult.id()).state()).isEqualTo(State.DEAD);
        assertThat(strings("SELECT mark FROM acidq_dead").get(0)).contains("70002 bytes, at most 65535 are kept");
        assertThat(ended(enqueue(Q, new Step("a", 2), options().receipt()).id()).state())
                .isEqualTo(State.DONE);
    }

    @Test
    void failsTheMessageWhoseResultCannotBeEncoded() throws Exception {
        listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.done(new Unencodable()))
                .withRetry(ONE_ATTEMPT));
        assertThat(ended(enqueue(Q, new Step("a", 1), options().result(HOUR)).id())
                        .state())
                .isEqualTo(State.DEAD);
        assertThat(strings("SELECT mark FROM acidq_dead").get(0))
                .contains("the result of the handler of queue 'quotes' cannot be kept: ");
    }

    // ---- ends

    @Test
    void knowsDeadLettersAndTheirReplays() throws Exception {
        MessageId id = enqueue(Q, new Step("a", 1), options().result(HOUR)).id();
        Engine failing = listen(on(Q, (step, delivery) -> Outcome.dead("no")));
        assertThat(ended(id).state()).isEqualTo(State.DEAD);
        failing.close();
        deadLetters().replay(DeadLetterFilter.of(Q), BulkAction.by("ann", "fixed"));
        assertThat(receipts().find(id).orElseThrow().state()).isEqualTo(State.PENDING);
        listenForQuotes();
        assertThat(ended(id).result(Quote.class)).contains(new Quote(10));
    }

    @Test
    void hasOneReceiptForEachSubscriptionOfATopic() throws Exception {
        for (String name : List.of("billing", "stock")) {
            sender().subscriptions().subscribe("order.placed", name);
        }
        Map<String, Enqueued> published = transactions
                .call(() -> queue().publish(
                                "order.placed", new Step("order", 4), options().result(HOUR)))
                .subscriptions();
        listen(
                Listener.onTopic("order.placed", "billing", Step.class, (step, delivery) -> Outcome.done(new Quote(1))),
                Listener.onTopic("order.placed", "stock", Step.class, (step, delivery) -> Outcome.dead("none left")));
        assertThat(ended(published.get("billing").id()).result(Quote.class)).contains(new Quote(1));
        assertThat(ended(published.get("stock").id()).state()).isEqualTo(State.DEAD);
    }

    @Test
    void hasAReceiptForAMessageThatItsEnqueueClaims() throws Exception {
        Engine engine =
                engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withDirectHandoff(true)))
                        .listen(on(Q, (step, delivery) -> Outcome.done(new Quote(step.seq())))));
        await().atMost(PATIENCE).untilAsserted(() -> {
            Enqueued enqueued = transactions.call(
                    () -> engine.queue().enqueue(Q, new Step("a", 5), options().result(HOUR)));
            assertThat(ended(enqueued.id()).result(Quote.class)).contains(new Quote(5));
            assertThat(enqueued.id().lane()).as("a direct lane").isGreaterThanOrEqualTo(64);
        });
    }

    // ---- whether it was committed

    @Test
    void answersWhetherTheTransactionWasCommitted() {
        Enqueued committed = enqueue(Q, new Step("a", 1), options().receipt());
        AtomicReference<Enqueued> rolledBack = new AtomicReference<>();
        assertThatThrownBy(() -> transactions.run(() -> {
                    rolledBack.set(
                            queue().enqueue(Q, new Step("a", 2), options().receipt()));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(receipts().committed(committed.id())).isEqualTo(Committed.YES);
        assertThat(receipts().committed(rolledBack.get().id())).isEqualTo(Committed.NO);
        assertThat(receipts().committed(enqueue(Q, new Step("a", 3)).id())).isEqualTo(Committed.NOT_TRACKED);
    }

    @Test
    void answersYesAfterTheEndOfTheMessage() throws Exception {
        listenForQuotes();
        MessageId id = enqueue(Q, new Step("a", 1), options().receipt()).id();
        ended(id);
        assertThat(receipts().committed(id)).isEqualTo(Committed.YES);
    }

    @Test
    void hasNoReceiptForAMessageThatWasNotAdded() {
        Enqueued first = enqueue(Q, new Step("a", 1), options().key("k").delay(HOUR));
        Enqueued duplicate = enqueue(Q, new Step("a", 2), options().key("k").receipt());
        Enqueued replaced = enqueue(
                Q,
                new Step("a", 3),
                options()
                        .key("k")
                        .delay(HOUR)
                        .onDuplicate(OnDuplicate.replace())
                        .receipt());
        assertThat(List.of(duplicate.id(), replaced.id())).containsOnly(first.id());
        assertThat(rows("acidq_receipt")).isZero();
        Enqueued other = enqueue(Q, new Step("b", 1), options().key("other").receipt());
        assertThat(receipts().committed(other.id())).isEqualTo(Committed.YES);
    }

    @Test
    void addsNeitherMessageNorReceiptWhenOneOfThemFails() {
        sql("ALTER TABLE acidq_receipt RENAME TO gone");
        transactions.run(() -> {
            assertThatThrownBy(() -> queue().enqueue(
                                    Q, new Step("a", 1), options().key("k").receipt()))
                    .isInstanceOf(RuntimeException.class);
        });
        assertThat(rows("acidq_message")).isZero();
        assertThat(rows("acidq_key")).isZero();
    }

    // ---- waiting

    @Test
    void isWokenByTheWorkerOfTheSameEngine() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        Engine engine = listen(on(Q, (step, delivery) -> {
            waits.await();
            return Outcome.done(new Quote(1));
        }));
        MessageId id = enqueue(Q, new Step("a", 1), options().result(HOUR)).id();
        CompletableFuture<Receipt> receipt = CompletableFuture.supplyAsync(() -> {
            try {
                return engine.receipts().await(id, PATIENCE).orElseThrow();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waits.countDown();
        assertThat(receipt.get(30, TimeUnit.SECONDS).result(Quote.class)).contains(new Quote(1));
    }

    @Test
    void returnsAPendingReceiptWhenTheTimeIsOverAndNoneWhenThereIsNone() throws Exception {
        MessageId id = enqueue(Q, new Step("a", 1), options().receipt()).id();
        assertThat(receipts().await(id, Duration.ofMillis(20)).orElseThrow().state())
                .isEqualTo(State.PENDING);
        sql("DELETE FROM acidq_receipt");
        assertThat(receipts().await(id, Duration.ofMillis(20))).isEmpty();
    }

    @Test
    void canBeInterrupted() throws Exception {
        MessageId id = enqueue(Q, new Step("a", 1), options().receipt()).id();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> receipts().await(id, PATIENCE)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void refusesToWaitForItself() {
        MessageId untracked = enqueue(Q, new Step("a", 1)).id();
        assertThatThrownBy(() -> receipts().await(untracked, HOUR))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("enqueue it with options().receipt()");
        transactions.run(() -> {
            MessageId id =
                    queue().enqueue(Q, new Step("a", 2), options().receipt()).id();
            assertThatThrownBy(() -> receipts().await(id, HOUR))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("does not run before its commit");
            assertThatThrownBy(() -> receipts().committed(id))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("was called in a transaction");
        });
    }

    // ---- by the message key

    @Test
    void findsAMessageByItsKeyAfterItsEnd() throws Exception {
        assertThat(receipts().findByKey(queueOf(enqueue(Q, new Step("x", 1), options())), "nobody"))
                .isEmpty();
        Enqueued tracked = enqueue(Q, new Step("a", 1), options().key("tracked").result(HOUR));
        Enqueued untracked = enqueue(Q, new Step("a", 2), options().key("untracked"));
        assertThat(stateOf("tracked")).isEqualTo(State.PENDING);
        assertThat(stateOf("untracked")).isEqualTo(State.PENDING);
        listen(on(
                Q,
                (step, delivery) ->
                        step.k().equals("dead") ? Outcome.dead("no") : Outcome.done(new Quote(step.seq()))));
        awaitDrained();
        Receipt receipt = receipts().findByKey(Q, "tracked").orElseThrow();
        assertThat(receipt.id()).isEqualTo(tracked.id());
        assertThat(receipt.result(Quote.class)).contains(new Quote(1));
        assertThat(stateOf("untracked")).isEqualTo(State.GONE);
        assertThat(receipts().findByKey(Q, "untracked").orElseThrow().id()).isEqualTo(untracked.id());
        enqueue(Q, new Step("dead", 1), options().key("dead"));
        awaitDrained();
        assertThat(stateOf("dead")).isEqualTo(State.DEAD);
    }

    private static String queueOf(Enqueued enqueued) {
        return enqueued.id().queue();
    }

    private State stateOf(String key) {
        return receipts().findByKey(Q, key).orElseThrow().state();
    }

    // ---- cost

    /** Counts the statements that write the table. */
    @Test
    void costsNothingWithoutAReceiptAndTwoStatementsWithOne() throws Exception {
        Map<Boolean, List<String>> statements = new HashMap<>();
        for (boolean receipt : List.of(false, true)) {
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            closeEngines();
            reopen(
                    config -> {},
                    pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
                        @Override
                        public void afterCommit(List<String> committed) {
                            seen.addAll(committed);
                        }
                    }));
            listen(Q, (step, delivery) -> Outcome.done(new Quote(1)));
            enqueue(Q, new Step("warm", 1));
            awaitDrained();
            seen.clear();
            MessageId id = enqueue(Q, new Step("a", 1), receipt ? options().result(HOUR) : options())
                    .id();
            awaitDrained();
            assertThat(id.hasReceipt()).isEqualTo(receipt);
            statements.put(
                    receipt,
                    seen.stream()
                            .filter(sql -> sql.matches("(?s)\\s*(INSERT INTO|UPDATE) acidq_receipt.*"))
                            .toList());
        }
        assertThat(statements.get(false)).isEmpty();
        assertThat(statements.get(true)).hasSize(2);
    }
}
