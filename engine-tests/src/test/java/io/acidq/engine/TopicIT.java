package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.admin.Subscriptions.fromArchive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.DeadHeadPolicy;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Enqueued.Result;
import io.acidq.KeyTakenException;
import io.acidq.MessageQueue.RescheduleResult;
import io.acidq.MessageQueue.WithdrawResult;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.Priority;
import io.acidq.Published;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.FromArchive;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.config.EngineConfig.UnsubscribedAction;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Topics and their subscriptions, on a real server. */
class TopicIT extends FreshEngineTests {

    private static final String TOPIC = "order.placed";

    private Published publish(Step step, EnqueueOptions options) {
        return transactions.call(() -> queue().publish(TOPIC, step, options));
    }

    /** A listener whose effect is named after its subscription. */
    private Listener<Step> subscription(String name) {
        return Listener.onTopic(TOPIC, name, Step.class, (step, delivery) -> {
            insertEffect(new Step(name, step.seq()), delivery.node());
            return Outcome.done();
        });
    }

    private void subscribe(String... names) {
        for (String name : names) {
            sender().subscriptions().subscribe(TOPIC, name);
        }
    }

    private List<String> names() {
        return sender().subscriptions().list(TOPIC).stream()
                .map(Subscription::name)
                .toList();
    }

    @Test
    void namesTheSubscriptionsOfATopicThatLacksTheOneToRemove() {
        sender().subscriptions().subscribe(TOPIC, "billing");
        assertThatThrownBy(() -> sender().subscriptions()
                        .unsubscribe(TOPIC, "biling", Remaining.KEEP, new Operator("ann", "tidy up")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("topic 'order.placed' has no subscription 'biling'", "it has: billing");
    }

    @Test
    void deliversEachMessageOnceToEachSubscription() {
        listen(subscription("billing"), subscription("stock"));
        listen(subscription("billing"), subscription("mail"));
        for (int seq = 1; seq <= 20; seq++) {
            Published published = publish(new Step("order", seq), options().orderingKey("customer"));
            assertThat(published.subscriptions()).containsOnlyKeys("billing", "mail", "stock");
        }
        awaitDrained();
        List<String> all =
                IntStream.rangeClosed(1, 20).mapToObj(String::valueOf).toList();
        for (String name : List.of("billing", "mail", "stock")) {
            assertThat(seqsOf(name)).as(name).isEqualTo(all);
        }
    }

    @Test
    void publishesInTheTransactionOfTheCaller() {
        subscribe("billing", "stock");
        assertThatThrownBy(() -> transactions.run(() -> {
                    queue().publish(TOPIC, new Step("order", 1));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(rows("acidq_message")).isZero();
        assertThatThrownBy(() -> queue().publish(TOPIC, new Step("order", 1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("publish to 'order.placed' needs a transaction");
    }

    @Test
    void keepsMessagesForASubscriptionWithoutListenerAndNoneFromBeforeIt() {
        publish(new Step("order", 1), options());
        subscribe("billing");
        publish(new Step("order", 2), options());
        listen(subscription("billing"));
        awaitDrained();
        assertThat(seqsOf("billing")).containsExactly("2");
    }

    @Test
    void seesTheSubscriptionsOfTheSnapshotOfTheTransaction() throws Exception {
        transactions.run(() -> {
            execute("SELECT k FROM effect"); // at REPEATABLE READ the first read opens the snapshot
            subscribe("billing");
            assertThat(queue().publish(TOPIC, new Step("order", 1)).isEmpty()).isTrue();
        });
        assertThat(publish(new Step("order", 2), options()).subscriptions()).containsOnlyKeys("billing");
    }

    @Test
    void refusesToSubscribeWhileTheSubscriptionIsDraining() {
        subscribe("billing");
        publish(new Step("order", 1), options());
        sender().subscriptions().unsubscribe(TOPIC, "billing", Remaining.DRAIN, new Operator("ann", "replaced"));
        assertThatThrownBy(() -> subscribe("billing"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'billing'", "is draining", "KEEP");
        sender().subscriptions().unsubscribe(TOPIC, "billing", Remaining.KEEP, new Operator("ann", "needed again"));
        subscribe("billing");
        assertThat(publish(new Step("order", 2), options()).subscriptions()).containsOnlyKeys("billing");
    }

    @Test
    void leavesOutTheSubscriptionsWhoseFilterRefusesTheMessage() {
        sender().subscriptions().subscribe(TOPIC, "eu", "region in ('eu', 'ch')");
        sender().subscriptions().subscribe(TOPIC, "us", "region = 'us'");
        sender().subscriptions().subscribe(TOPIC, "steps", "type = 'Step'");
        Published published = publish(new Step("order", 1), options().header("region", "ch"));
        assertThat(published.subscriptions()).containsOnlyKeys("eu", "steps");
        assertThat(strings("SELECT q.name FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue ORDER BY q.name"))
                .containsExactly("order.placed/eu", "order.placed/steps");
    }

    @Test
    void refusesAPublishWhoseFilterCannotBeRead() {
        subscribe("billing", "stock");
        sql("UPDATE acidq_subscription SET filter = 'region ~ ''eu''' WHERE name = 'stock'");
        assertThatThrownBy(() -> publish(new Step("order", 1), options()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("publish to 'order.placed'", "subscription 'stock'", "~", "changeFilter");
        assertThat(rows("acidq_message")).isZero();
    }

    @Test
    void tellsThatATopicHasNoSubscription() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Engine engine = engine(e -> e.telemetry(new Telemetry() {
            @Override
            public void publishedUnsubscribed(String topic) {
                told.add(topic);
            }
        }));
        Published published = transactions.call(() -> engine.queue().publish(TOPIC, new Step("order", 1)));
        assertThat(published.isEmpty()).isTrue();
        assertThat(told).containsExactly(TOPIC);
    }

    @Test
    void refusesToPublishToATopicWithoutSubscriptionIfTheEngineIsSetSo() {
        Engine engine = engine(e -> e.config(QUICK.withUnsubscribedTopics(UnsubscribedAction.FAIL)));
        assertThatThrownBy(() -> transactions.call(() -> engine.queue().publish(TOPIC, new Step("order", 1))))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "publish to 'order.placed'", "has no subscription", "acidq.topics.unsubscribed=warn");
        engine.subscriptions().subscribe(TOPIC, "billing", "type = 'another'");
        assertThat(transactions
                        .call(() -> engine.queue().publish(TOPIC, new Step("order", 1)))
                        .isEmpty())
                .as("a filter may refuse a message")
                .isTrue();
    }

    @Test
    void retriesAndBuriesInOneSubscriptionWhileTheOthersGoOn() {
        listen(
                subscription("billing"),
                Listener.onTopic(TOPIC, "mail", Step.class, (step, delivery) -> {
                            throw new IllegalStateException("no mail server");
                        })
                        .withRetry(RetryPolicy.defaults().withMaxAttempts(2).withFixedBackoff(Duration.ofMillis(5))));
        for (int seq = 1; seq <= 5; seq++) {
            publish(new Step("order", seq), options().orderingKey("customer"));
        }
        awaitRows("acidq_dead", 5);
        awaitDrained();
        assertThat(seqsOf("billing")).containsExactly("1", "2", "3", "4", "5");
        assertThat(deadLetters().list("order.placed/mail", 10)).hasSize(5);
        assertThat(deadLetters().list("order.placed/billing", 10)).isEmpty();
    }

    @Test
    void takesAMessageKeyInEachSubscription() {
        subscribe("billing");
        Enqueued first = publish(new Step("order", 1), options().key("o-1"))
                .subscriptions()
                .get("billing");
        subscribe("stock");
        Published second = publish(new Step("order", 1), options().key("o-1"));
        assertThat(second.subscriptions().get("billing")).isEqualTo(new Enqueued(first.id(), Result.DUPLICATE));
        assertThat(second.subscriptions().get("stock").result()).isEqualTo(Result.ENQUEUED);
        assertThat(rows("acidq_message")).isEqualTo(2);
    }

    @Test
    void publishesToNoSubscriptionWhenAKeyIsTakenInOneAndTheCallerGoesOn() {
        subscribe("stock");
        publish(new Step("order", 1), options().key("o-1"));
        subscribe("billing");
        transactions.run(() -> assertThatThrownBy(() -> queue().publish(
                                TOPIC,
                                new Step("order", 2),
                                options().key("o-1").onDuplicate(OnDuplicate.reject())))
                .isInstanceOf(KeyTakenException.class));
        assertThat(rows("acidq_message")).isEqualTo(1);
        assertThat(rows("acidq_key")).isEqualTo(1);
    }

    @Test
    void replacesAScheduledMessageInEachSubscription() {
        subscribe("billing", "stock");
        EnqueueOptions later = options().key("o-1").delay(Duration.ofDays(1)).onDuplicate(OnDuplicate.replace());
        publish(new Step("order", 1), later);
        Published second = publish(new Step("order", 2), later);
        assertThat(second.subscriptions().values())
                .extracting(Enqueued::result)
                .containsExactly(Result.REPLACED, Result.REPLACED);
        assertThat(strings("SELECT CONVERT(payload USING utf8mb4) FROM acidq_scheduled"))
                .hasSize(2)
                .allMatch(payload -> payload.contains("2"));
    }

    @Test
    void refusesToStartAListenerWhoseSubscriptionHasAnotherFilter() {
        listen(subscription("billing").withFilter("region = 'eu'"));
        listen(subscription("billing"));
        assertThatThrownBy(() -> listen(subscription("billing").withFilter("region = 'us'")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "listener of subscription 'order.placed/billing'",
                        "the filter [region = 'eu']",
                        "the filter [region = 'us']",
                        "changeFilter");
        assertThat(sender().subscriptions().changeFilter(TOPIC, "billing", "region = 'us'"))
                .isTrue();
        listen(subscription("billing").withFilter("region = 'us'"));
    }

    @Test
    void refusesAFilterOfAQueueAndAListenerThatIsThereTwice() {
        assertThatThrownBy(() -> on("plain", this::effect).withFilter("type = 'Step'"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("listener of queue 'plain' has a filter", "topic");
        assertThatThrownBy(() -> listen(on("plain", this::effect), on("plain", this::effect)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("two listeners", "subscription of its own");
    }

    @Test
    void stopsPublishingToASubscriptionThatIsRemoved() {
        subscribe("billing", "stock");
        publish(new Step("order", 1), options());
        assertThat(sender().subscriptions().unsubscribe(TOPIC, "stock", Remaining.KEEP, new Operator("ann", "tidy up")))
                .isTrue();
        assertThat(sender().subscriptions().unsubscribe(TOPIC, "stock", Remaining.KEEP, new Operator("ann", "tidy up")))
                .isFalse();
        assertThat(publish(new Step("order", 2), options()).subscriptions()).containsOnlyKeys("billing");
        assertThat(rows("acidq_message")).isEqualTo(3);
        assertThat(strings("SELECT CONCAT(actor, ' ', action, ' ', reason, ' ', detail) FROM acidq_audit"))
                .containsExactly("ann unsubscribe tidy up remaining messages: KEEP");
    }

    @Test
    void removesADrainingSubscriptionWhenItsMessagesAreDone() {
        subscribe("billing");
        publish(new Step("order", 1), options());
        assertThat(sender().subscriptions()
                        .unsubscribe(TOPIC, "billing", Remaining.DRAIN, new Operator("ann", "tidy up")))
                .isTrue();
        assertThat(publish(new Step("order", 2), options()).isEmpty()).isTrue();
        assertThat(store.subscriptions().removeDrained()).isZero();
        listen(subscription("billing"));
        awaitDrained();
        store.subscriptions().removeDrained(); // unless the cleaner of the engine has removed it
        assertThat(names()).isEmpty();
        assertThat(seqsOf("billing")).containsExactly("1");
    }

    @Test
    void deletesTheWaitingMessagesOfASubscriptionThatIsDiscarded() {
        subscribe("billing", "stock");
        for (int seq = 1; seq <= 3; seq++) {
            publish(new Step("order", seq), options().orderingKey("customer"));
            publish(new Step("later", seq), options().delay(Duration.ofDays(1)));
        }
        assertThat(sender().subscriptions()
                        .unsubscribe(TOPIC, "stock", Remaining.DISCARD, new Operator("ann", "tidy up")))
                .isTrue();
        assertThat(names()).containsExactly("billing");
        assertThat(rows("acidq_message")).isEqualTo(3);
        assertThat(rows("acidq_scheduled")).isEqualTo(3);
        listen(subscription("billing"), subscription("stock"));
        awaitRows("acidq_message", 0);
        assertThat(seqsOf("stock")).isEmpty();
        assertThat(seqsOf("billing")).containsExactly("1", "2", "3");
    }

    @Test
    void deletesParkedMessagesOfASubscriptionThatIsDiscardedAndRunsLaterOnesOfTheirKey() {
        String queue = "order.placed/stock";
        Engine failing = engine(e -> e.config(
                        QUICK.withQueue(queue, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK)))
                .listen(Listener.onTopic(TOPIC, "stock", Step.class, (step, delivery) -> {
                            throw new IllegalStateException("out of stock");
                        })
                        .withRetry(ONE_ATTEMPT)));
        for (int seq = 1; seq <= 3; seq++) {
            publish(new Step("order", seq), options().orderingKey("customer"));
        }
        awaitRows("acidq_dead", 1);
        awaitRows("acidq_parked", 2);
        failing.close();
        sender().subscriptions().unsubscribe(TOPIC, "stock", Remaining.DISCARD, new Operator("ann", "tidy up"));
        assertThat(rows("acidq_parked")).isZero();
        assertThat(rows("acidq_message WHERE kind = 2")).isZero();

        sender().blockedKeys()
                .list(queue, 10)
                .forEach(blocked -> sender().blockedKeys().release(blocked, new Operator("ann", "tidy up")));
        listen(subscription("stock"));
        publish(new Step("order", 4), options().orderingKey("customer"));

        awaitDrained();
        assertThat(seqsOf("stock")).containsExactly("4");
    }

    @Test
    void addsASubscriptionOnceWhenManyNodesStartWithIt() {
        IntStream.range(0, 8)
                .parallel()
                .forEach(i ->
                        Engine.builder(store).build().subscriptions().subscribe(TOPIC, "billing", "type = 'Step'"));
        assertThat(sender().subscriptions().list()).singleElement().satisfies(s -> {
            assertThat(s.queue()).isEqualTo("order.placed/billing");
            assertThat(s.filter()).isEqualTo("type = 'Step'");
        });
    }

    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    private long subscribeFromBilling(String name) {
        Subscriptions subscriptions = sender().subscriptions();
        // snippet:archive
        FromArchive source = fromArchive("billing", Instant.parse("2020-01-01T00:00:00Z"));
        long copied = subscriptions.subscribe("order.placed", name, "", source, new Operator("ann", "a new consumer"));
        // /snippet
        return copied;
    }

    /** Starts an engine with listeners that keeps the done messages of billing. */
    private Engine archiving(Listener<?>... listeners) {
        return engine(e -> {
            e.config(QUICK.withQueue(
                    "order.placed/billing", QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1))));
            for (Listener<?> listener : listeners) {
                e.listen(listener);
            }
            return e;
        });
    }

    @Test
    void startsASubscriptionWithTheArchiveOfAnotherInTheOrderOfThePublishes() {
        archiving(subscription("billing"));
        for (int seq = 1; seq <= 20; seq++) {
            publish(
                    new Step("order", seq),
                    options().orderingKey("customer").header("region", seq % 2 == 0 ? "eu" : "us"));
        }
        awaitDrained();
        assertThat(subscribeFromBilling("mail")).isEqualTo(20);
        assertThat(sender().subscriptions()
                        .subscribe(
                                TOPIC,
                                "eu",
                                "region = 'eu'",
                                fromArchive("billing", LONG_AGO),
                                new Operator("ann", "why")))
                .isEqualTo(10);
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        assertThatThrownBy(() -> sender().subscriptions()
                        .subscribe(TOPIC, "late", "", fromArchive("billing", tomorrow), new Operator("ann", "why")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'late'", tomorrow.toString(), "in the future", "earlier time");
        assertThat(names()).containsExactly("billing", "eu", "mail");
        publish(new Step("order", 21), options().orderingKey("customer"));
        listen(subscription("mail"));
        awaitUntil(() -> seqsOf("mail").size() == 21);
        assertThat(seqsOf("mail"))
                .isEqualTo(
                        IntStream.rangeClosed(1, 21).mapToObj(String::valueOf).toList());
        assertThat(strings(
                        "SELECT CONCAT(a.actor, ' ', a.action) FROM acidq_audit a JOIN acidq_queue q ON q.id = a.queue"
                                + " WHERE q.name = 'order.placed/mail' ORDER BY a.id"))
                .containsExactly("ann pause", "ann resume");
    }

    @Test
    void copiesAlsoWhatTheSourceHasNotDoneYet() {
        Engine first = archiving(Listener.onTopic(TOPIC, "billing", Step.class, (step, delivery) -> {
                    if (step.seq() == 2) {
                        throw new IllegalStateException("cannot be billed");
                    }
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT));
        publish(new Step("order", 1), options());
        publish(new Step("order", 2), options());
        awaitRows("acidq_archive", 1);
        awaitRows("acidq_dead", 1);
        first.close();
        publish(new Step("order", 3), options());
        publish(new Step("order", 4), options().delay(Duration.ofDays(1)));

        assertThat(subscribeFromBilling("mail")).isEqualTo(4);

        assertThat(rows("acidq_scheduled")).isEqualTo(2);
        assertThat(count("SELECT COUNT(DISTINCT preexec_time) FROM acidq_scheduled"))
                .isEqualTo(1);
        listen(subscription("mail"));
        awaitUntil(() -> seqsOf("mail").size() == 3);
        assertThat(seqsOf("mail")).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(deadLetters().list("order.placed/billing", 10)).hasSize(1);
    }

    @Test
    void givesACopyAReceiptOfItsOwn() {
        Engine first = archiving(subscription("billing"));
        publish(new Step("order", 1), options().receipt());
        awaitRows("acidq_archive", 1);
        first.close();
        publish(new Step("order", 2), options().receipt());
        assertThat(subscribeFromBilling("mail")).isEqualTo(2);
        assertThat(strings("SELECT CONCAT(state, ' ', COUNT(*)) FROM acidq_receipt WHERE state IN ('DONE', 'PENDING')"
                        + " GROUP BY state ORDER BY state"))
                .containsExactly("DONE 1", "PENDING 3");
    }

    @Test
    void copiesTheExpiryOfWhatIsNotDoneYet() {
        Engine first = archiving(subscription("billing"));
        publish(new Step("order", 1), options().expiresAfter(Duration.ofHours(1)));
        awaitRows("acidq_archive", 1);
        first.close();
        publish(new Step("order", 2), options().expiresAfter(Duration.ofHours(2)));
        publish(
                new Step("order", 3),
                options().expiresAfter(Duration.ofHours(3)).delay(Duration.ofDays(1)));
        assertThat(subscribeFromBilling("mail")).isEqualTo(3);
        String copies = " JOIN acidq_queue q ON q.id = m.queue WHERE q.name = 'order.placed/mail'";
        assertThat(strings("SELECT m.expires_at IS NULL FROM acidq_message m" + copies + " ORDER BY m.id"))
                .containsExactly("1", "0");
        assertThat(count("SELECT COUNT(DISTINCT expires_at) FROM acidq_scheduled"))
                .isEqualTo(1);
        assertThat(count("SELECT COUNT(expires_at) FROM acidq_scheduled")).isEqualTo(2);
    }

    @Test
    void withdrawsReschedulesAndReplacesCopiesThatWaitForTheirFirstDueTime() {
        Engine first = archiving(subscription("billing"));
        publish(new Step("order", 1), options());
        awaitRows("acidq_archive", 1);
        first.close();
        EnqueueOptions later = options().delay(Duration.ofHours(1)).onDuplicate(OnDuplicate.replace());
        for (int seq = 2; seq <= 4; seq++) {
            publish(new Step("order", seq), later.key("o-" + seq));
        }
        assertThat(subscribeFromBilling("mail")).isEqualTo(4);
        String mail = "order.placed/mail";
        assertThat(transactions.call(() -> queue().withdraw(mail, "o-2"))).isEqualTo(WithdrawResult.WITHDRAWN);
        assertThat(transactions.call(() -> queue().reschedule(mail, "o-3", Duration.ofHours(2))))
                .isEqualTo(RescheduleResult.RESCHEDULED);
        assertThat(publish(new Step("order", 5), later.key("o-4"))
                        .subscriptions()
                        .get("mail")
                        .result())
                .isEqualTo(Result.REPLACED);
    }

    /** As when a message with the key is published while the copies are made. */
    @Test
    void copiesDoneMessagesWhoseKeyALaterMessageHas() {
        archiving(subscription("billing"));
        for (int seq = 1; seq <= 2; seq++) {
            publish(new Step("order", seq), options().key("customer"));
            awaitRows("acidq_archive", seq);
            sql("UPDATE acidq_key SET kept_until = UTC_TIMESTAMP(6)");
        }
        subscribe("mail");
        publish(new Step("order", 3), options().key("customer"));
        sender().subscriptions()
                .unsubscribe(TOPIC, "mail", Remaining.KEEP, new Operator("ann", "start again, from the archive"));
        assertThat(subscribeFromBilling("mail")).isEqualTo(2);
        listen(subscription("mail"));
        awaitUntil(() -> seqsOf("mail").size() == 3);
    }

    @Test
    void missesAndDoublesNothingThatIsPublishedWhileItCopies() throws Exception {
        archiving(subscription("billing"));
        AtomicBoolean stopping = new AtomicBoolean();
        AtomicLong published = new AtomicLong();
        List<CompletableFuture<Void>> publishers = Stream.of("a", "b", "c")
                .map(key -> CompletableFuture.runAsync(() -> {
                    for (long seq = 1; !stopping.get(); seq++) {
                        publish(new Step(key, seq), options().orderingKey(key).key(key + seq));
                        published.incrementAndGet();
                    }
                }))
                .toList();
        awaitUntil(
                () -> published.get() >= 100 && rows("acidq_archive") > 0); // without a row, the queue keeps no archive
        long copied = subscribeFromBilling("mail");
        long whenCopied = published.get();
        awaitUntil(() -> published.get() >= whenCopied + 100);
        stopping.set(true);
        CompletableFuture.allOf(publishers.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
        listen(Listener.onTopic(TOPIC, "mail", Step.class, (step, delivery) -> {
            insertEffect(new Step("mail-" + step.k(), step.seq()), delivery.node());
            return Outcome.done();
        }));
        awaitDrained();
        assertThat(copied).isGreaterThanOrEqualTo(100).isLessThan(published.get());
        for (String key : List.of("a", "b", "c")) {
            long last = count("SELECT MAX(seq) FROM effect WHERE k = 'mail-" + key + "'");
            assertThat(seqsOf("mail-" + key))
                    .as(key)
                    .isEqualTo(LongStream.rangeClosed(1, last)
                            .mapToObj(String::valueOf)
                            .toList());
        }
        assertThat(count("SELECT COUNT(*) FROM effect WHERE k LIKE 'mail-%'")).isEqualTo(published.get());
    }

    @Test
    void keepsThePriorityOfACopy() {
        archiving(subscription("billing"));
        publish(new Step("order", 1), options().priority(Priority.HIGH));
        awaitDrained();
        assertThat(subscribeFromBilling("mail")).isEqualTo(1);
        assertThat(rows("acidq_message WHERE lane >= 1000 AND lane < 2000")).isEqualTo(1);
        listen(subscription("mail"));
        awaitUntil(() -> seqsOf("mail").equals(List.of("1")));
    }

    @Test
    void keepsTheMessageKeyOfACopyAndCopiesNothingTwice() {
        archiving(subscription("billing"));
        publish(new Step("order", 1), options().key("o-1"));
        awaitDrained();
        assertThat(subscribeFromBilling("mail")).isEqualTo(1);
        assertThat(publish(new Step("order", 1), options().key("o-1"))
                        .subscriptions()
                        .values())
                .extracting(Enqueued::result)
                .containsExactly(Result.DUPLICATE, Result.DUPLICATE);

        sender().subscriptions().unsubscribe(TOPIC, "mail", Remaining.KEEP, new Operator("ann", "by mistake"));
        assertThat(subscribeFromBilling("mail")).as("it has the message").isZero();
        sender().subscriptions()
                .unsubscribe(TOPIC, "mail", Remaining.DISCARD, new Operator("ann", "again from the start"));
        assertThat(subscribeFromBilling("mail")).isEqualTo(1);
    }

    @Test
    void refusesToStartFromAnArchiveThatIsNotThereOrIntoAQueueThatIsServed() {
        listen(subscription("billing"), subscription("stock"));
        publish(new Step("order", 1), options());
        awaitDrained();
        assertThatThrownBy(() -> subscribeFromBilling("mail"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'mail'", "'billing'", "archive", "withArchiveRetention");
        assertThatThrownBy(() -> subscribeFromBilling("billing")).hasMessageContaining("itself");
        assertThatThrownBy(() -> subscribeFromBilling("stock")).hasMessageContaining("exists already");
        assertThatThrownBy(() -> sender().subscriptions()
                        .subscribe(TOPIC, "mail", "", fromArchive("biling", LONG_AGO), new Operator("ann", "why")))
                .hasMessageContaining("no subscription 'biling'");
        archiving(subscription("billing"));
        sender().subscriptions().unsubscribe(TOPIC, "stock", Remaining.KEEP, new Operator("ann", "tidy up"));
        sql(
                "INSERT INTO acidq_archive (kept_until, uid, queue, lane, done_at, claim_no, attempts, crashes, enqueued_at, type,"
                        + " headers, size, payload) SELECT UTC_TIMESTAMP(6) + INTERVAL 1 DAY, REPEAT('u', 16), id, 0,"
                        + " UTC_TIMESTAMP(6), 1, 1, 0, UTC_TIMESTAMP(6), 'Step', '', 2, '{}' FROM acidq_queue WHERE name ="
                        + " 'order.placed/billing'");
        assertThatThrownBy(() -> subscribeFromBilling("stock")).hasMessageContainingAll("node ", "stop its listeners");
        assertThat(names()).containsExactly("billing");
    }
}
