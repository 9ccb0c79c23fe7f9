package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Recurring.Misfire;
import io.acidq.Recurring.Overlap;
import io.acidq.Schedule;
import io.acidq.Tick;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.RecurringMessages.PutResult;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.config.EngineConfig.UnsubscribedAction;
import io.acidq.config.Listener;
import io.acidq.config.Retention;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Recurring messages, on a real server. */
@AnyServer(ServerKind.MARIADB)
class RecurringIT extends FreshEngineTests {

    private static final Schedule OFTEN = Schedule.every(Duration.ofMillis(250));
    private static final Schedule DAILY = Schedule.cron("0 30 2 * * *", "Europe/Berlin");

    /** The engine that was started last: it notices at once what is put there, others within ten seconds. */
    private @Nullable Engine running;

    @Override
    Engine engine(UnaryOperator<EngineBuilder> with) {
        running = super.engine(with);
        return running;
    }

    private RecurringMessages recurring() {
        return (running == null ? sender() : running).recurring();
    }

    private PutResult put(Recurring message) {
        return transactions.call(() -> recurring().put(message));
    }

    private static Recurring daily(String name) {
        return Recurring.message(name, DAILY, "report").withPayload(new Step(name, 1));
    }

    /** Makes the ticks of a recurring message due as if its next tick had been so long ago. */
    private void late(String name, Duration by) {
        sql("UPDATE acidq_recurring SET next_at = UTC_TIMESTAMP(6) - INTERVAL " + by.toSeconds()
                + " SECOND WHERE name = '" + name + "'");
    }

    private List<String> history(String name) {
        return recurring().ticks(name, 1000).stream()
                .map(entry -> entry.result() + " " + entry.missed())
                .toList();
    }

    @Test
    void enqueuesOneMessageForEachTickOverSeveralNodes() {
        Queue<Tick> seen = new ConcurrentLinkedQueue<>();
        for (int node = 0; node < 3; node++) {
            listen(Listener.on("report", Step.class, (step, delivery) -> {
                seen.add(delivery.tick().orElseThrow());
                return effect(step, delivery);
            }));
        }
        List<String> names = IntStream.range(0, 10).mapToObj(i -> "tenant " + i).toList();
        transactions.call(() -> {
            names.forEach(name -> recurring()
                    .put(Recurring.message(name, OFTEN, "report")
                            .withPayload(new Step(name, 1))
                            .withMisfire(Misfire.catchUp(100))));
            return 0;
        });
        awaitUntil(() -> rows("acidq_tick") > 100);
        names.forEach(name -> recurring().pause(name, new Operator("ada", "enough")));
        awaitDrained();
        assertThat(effects()).isEqualTo(rows("acidq_tick")).isEqualTo(seen.size());
        for (String name : names) {
            List<TickEntry> history = recurring().ticks(name, 1000);
            for (int i = 1; i < history.size(); i++) {
                assertThat(Duration.between(
                                history.get(i).at(), history.get(i - 1).at()))
                        .as(name)
                        .isEqualTo(OFTEN.period());
            }
            assertThat(history)
                    .allMatch(entry -> entry.result() == TickResult.ENQUEUED && entry.missed() == 0)
                    .allMatch(entry -> !entry.doneAt().isBefore(entry.at()), "not early");
            assertThat(seen.stream().filter(tick -> tick.name().equals(name)).map(Tick::at))
                    .containsExactlyInAnyOrderElementsOf(
                            history.stream().map(TickEntry::at).toList());
        }
    }

    @Test
    void enqueuesInAnEngineWithoutListeners() {
        engine(e -> e);
        put(Recurring.message("tick", OFTEN, "report"));
        awaitUntil(() -> rows("acidq_message") > 2);
    }

    @Test
    void hasTheTickAsPayloadWhenThereIsNone() {
        Queue<Tick> seen = new ConcurrentLinkedQueue<>();
        listen(Listener.on("report", Tick.class, (tick, delivery) -> {
            assertThat(delivery.tick()).contains(tick);
            seen.add(tick);
            return Outcome.done();
        }));
        put(Recurring.message("tick", OFTEN, "report"));
        awaitUntil(() -> !seen.isEmpty());
        assertThat(seen.element().name()).isEqualTo("tick");
    }

    @Test
    void isPutAndRemovedInTheTransactionOfTheCaller() throws Exception {
        assertThatThrownBy(() -> recurring().put(daily("nightly")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("put of recurring message 'nightly' needs a transaction");
        assertThatThrownBy(() -> transactions.run(() -> {
                    recurring().put(daily("nightly"));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(recurring().find("nightly")).isEmpty();
        put(daily("nightly"));
        transactions.run(() -> assertThat(recurring().remove("nightly")).isTrue());
        transactions.run(() -> assertThat(recurring().remove("nightly")).isFalse());
        assertThat(recurring().list("", 10)).isEmpty();
    }

    @Test
    void writesNothingWhenTheSameIsPutAgainAndKeepsTheNextTickWhenTheScheduleStays() {
        assertThat(put(daily("nightly"))).isEqualTo(PutResult.ADDED);
        RecurringInfo first = recurring().find("nightly").orElseThrow();
        assertThat(first.next().orElseThrow()).isAfter(first.changedAt());
        assertThat(put(daily("nightly"))).isEqualTo(PutResult.UNCHANGED);
        assertThat(recurring().find("nightly")).contains(first);
        sql("UPDATE acidq_recurring SET next_at = next_at + INTERVAL 1 DAY");
        assertThat(put(daily("nightly").withPayload(new Step("other", 2)))).isEqualTo(PutResult.CHANGED);
        RecurringInfo second = recurring().find("nightly").orElseThrow();
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.next()).contains(first.next().orElseThrow().plus(Duration.ofDays(1)));
        put(Recurring.message("nightly", OFTEN, "report"));
        RecurringInfo third = recurring().find("nightly").orElseThrow();
        assertThat(third.next().orElseThrow())
                .isBetween(third.changedAt(), third.changedAt().plus(OFTEN.period()));
    }

    @Test
    void isPutByTwoTransactionsAtOnce() throws Exception {
        transactions.run(() -> {
            execute("SELECT k FROM effect"); // at REPEATABLE READ the first read opens the snapshot
            Thread other = new Thread(() -> put(daily("nightly")));
            other.start();
            other.join();
            assertThat(recurring().put(daily("nightly").withPayload(new Step("mine", 1))))
                    .isEqualTo(PutResult.CHANGED);
        });
        assertThat(strings("SELECT CONVERT(payload USING utf8mb4) FROM acidq_recurring"))
                .singleElement()
                .asString()
                .contains("mine");
    }

    @Test
    void doesNotSetTheNextTickBackWhenItsSnapshotIsOlderThanTheTick() throws Exception {
        put(daily("nightly"));
        transactions.run(() -> {
            execute("SELECT k FROM effect"); // at REPEATABLE READ the first read opens the snapshot
            sql("UPDATE acidq_recurring SET next_at = next_at + INTERVAL 1 DAY");
            recurring().put(daily("nightly").withPayload(new Step("other", 2)));
        });
        RecurringInfo info = recurring().find("nightly").orElseThrow();
        assertThat(info.version()).isEqualTo(2);
        assertThat(info.next().orElseThrow()).isAfter(info.changedAt().plus(Duration.ofDays(1)));
    }

    @Test
    void combinesSkipsOrCatchesUpWhatIsTooLate() {
        Schedule minutely = Schedule.every(Duration.ofMinutes(1));
        for (Misfire misfire : List.of(Misfire.once(), Misfire.skip(), Misfire.catchUp(2))) {
            String name = misfire.toString();
            put(Recurring.message(name, minutely, "report").withMisfire(misfire).withGrace(Duration.ofSeconds(1)));
            late(name, Duration.ofSeconds(10 * 60 + 2));
        }
        Queue<Tick> seen = new ConcurrentLinkedQueue<>();
        listen(Listener.on("report", Tick.class, (tick, delivery) -> {
            seen.add(tick);
            return Outcome.done();
        }));
        awaitUntil(() -> count("SELECT COUNT(DISTINCT name) FROM acidq_tick") == 3);
        awaitDrained();
        // the first tick is not at a full minute, the next ones are
        assertThat(stands("once")).isIn(11, 12);
        assertThat(stands("skip")).isIn(11, 12);
        assertThat(stands("catch-up 2")).isIn(11, 12);
        assertThat(history("once")).first().asString().isIn("ENQUEUED 10", "ENQUEUED 11", "ENQUEUED 0");
        assertThat(seen.stream().filter(tick -> tick.name().equals("once")).map(Tick::missed))
                .containsAnyOf(9, 10, 11);
    }

    private int stands(String name) {
        return recurring().ticks(name, 100).stream()
                .mapToInt(entry -> entry.missed() + 1)
                .sum();
    }

    @Test
    void doesNotEnqueueWhilePausedAndTreatsThePauseAsAMisfire() {
        engine(e -> e);
        put(daily("nightly"));
        assertThat(recurring().pause("nightly", new Operator("ada", "audit week")))
                .isTrue();
        assertThat(recurring().pause("nightly", new Operator("ada", "audit week")))
                .isFalse();
        late("nightly", Duration.ofDays(365));
        put(Recurring.message("other", OFTEN, "other"));
        awaitUntil(() -> rows("acidq_tick WHERE name = 'other'") > 2);
        assertThat(history("nightly")).isEmpty();
        assertThat(recurring().resume("nightly", new Operator("ada", "over"))).isTrue();
        awaitUntil(() -> history("nightly").size() == 1);
        assertThat(history("nightly")).singleElement().asString().isIn("ENQUEUED 364", "ENQUEUED 365");
        assertThat(sender().audit().recent(3))
                .extracting(AuditEntry::action)
                .contains("pause-recurring", "resume-recurring");
        assertThat(sender().audit().recent(1).get(0).detail()).isEqualTo("recurring message 'nightly'");
        assertThat(sender().audit().recent(1).get(0).queue()).isEqualTo("report");
    }

    @Test
    void isTriggeredAndRescheduledAtRunTime() {
        put(daily("nightly"));
        assertThat(recurring().trigger("nightly", new Operator("ada", "the report was lost")))
                .isTrue();
        assertThat(history("nightly")).containsExactly("TRIGGERED 0");
        listen("report", this::effect);
        awaitUntil(() -> seqsOf("nightly").size() == 1);
        assertThat(recurring().reschedule("nightly", DAILY, new Operator("ada", "no change")))
                .isFalse();
        assertThat(recurring().reschedule("nightly", OFTEN, new Operator("ada", "catch up")))
                .isTrue();
        awaitUntil(() -> seqsOf("nightly").size() > 3);
        assertThat(recurring().remove("nightly", new Operator("ada", "done"))).isTrue();
        assertThat(recurring().remove("nightly", new Operator("ada", "done"))).isFalse();
        assertThat(sender().audit().recent(3))
                .extracting(AuditEntry::detail)
                .containsExactly(
                        "recurring message 'nightly'",
                        "recurring message 'nightly': 0 30 2 * * * to every 250ms",
                        sender().audit().recent(3).get(2).detail());
        assertThatThrownBy(() -> recurring().trigger("nightly", new Operator("ada", "again")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("there is no recurring message 'nightly'");
    }

    @Test
    void startsAFixedDelayAtTheEndOfTheMessageHoweverItEnds() {
        Duration delay = Duration.ofMillis(300);
        Queue<Instant> starts = new ConcurrentLinkedQueue<>();
        Queue<Instant> ends = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        listen(Listener.on("report", Step.class, (step, delivery) -> {
                    Instant longerThanTheDelay = Instant.now().plus(delay);
                    starts.add(Instant.now());
                    awaitUntil(() -> recurring()
                            .find("nightly")
                            .flatMap(RecurringInfo::next)
                            .filter(look ->
                                    look.isAfter(longerThanTheDelay)) // the ticker has looked at the running message
                            .isPresent());
                    ends.add(Instant.now());
                    if (runs.incrementAndGet() == 2) {
                        throw new IllegalStateException("becomes a dead letter");
                    }
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT));
        put(Recurring.message("nightly", Schedule.after(delay), "report").withPayload(new Step("nightly", 1)));
        awaitUntil(() -> ends.size() >= 4);
        recurring().pause("nightly", new Operator("ada", "enough"));
        List<Instant> started = new ArrayList<>(starts);
        List<Instant> ended = new ArrayList<>(ends);
        for (int i = 1; i < 4; i++) {
            assertThat(Duration.between(ended.get(i - 1), started.get(i))).isGreaterThanOrEqualTo(delay);
        }
        assertThat(rows("acidq_dead")).isEqualTo(1);
    }

    @Test
    void looksForTheEndOfTheMessageSoonWhenItsFixedDelayIsChanged() {
        put(Recurring.message("nightly", Schedule.after(Duration.ofMillis(100)), "report"));
        engine(e -> e);
        awaitUntil(() -> rows("acidq_tick") == 1);
        recurring().reschedule("nightly", Schedule.after(Duration.ofDays(1)), new Operator("ada", "less often"));
        assertLooksWithin("nightly", Duration.ofMinutes(1));
        put(Recurring.message("nightly", Schedule.after(Duration.ofDays(2)), "report"));
        assertLooksWithin("nightly", Duration.ofMinutes(1));
    }

    private void assertLooksWithin(String name, Duration most) {
        RecurringInfo info = recurring().find(name).orElseThrow();
        assertThat(Duration.between(info.changedAt(), info.next().orElseThrow()))
                .isLessThanOrEqualTo(most);
    }

    @Test
    void doesNotOverlap() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        listen("report", (step, delivery) -> {
            mayEnd.await();
            return effect(step, delivery);
        });
        put(Recurring.message("nightly", OFTEN, "report")
                .withPayload(new Step("nightly", 1))
                .withOverlap(Overlap.SKIP));
        awaitUntil(() -> history("nightly").stream()
                        .filter(h -> h.startsWith("OVERLAPPED"))
                        .count()
                > 2);
        assertThat(recurring().trigger("nightly", new Operator("ada", "now"))).isFalse();
        assertThat(rows("acidq_message")).isEqualTo(1);
        mayEnd.countDown();
        awaitUntil(() -> seqsOf("nightly").size() > 2);
    }

    @Test
    void doesNotOverlapWithAMessageInThePreviousQueue() {
        engine(e -> e);
        put(Recurring.message("nightly", OFTEN, "before").withOverlap(Overlap.SKIP));
        awaitRows("acidq_message", 1);
        put(Recurring.message("nightly", OFTEN, "after").withOverlap(Overlap.SKIP));
        long overlapped = overlapped();
        awaitUntil(() -> overlapped() > overlapped + 2);
        assertThat(rows("acidq_message")).isEqualTo(1);
        sql("DELETE FROM acidq_message");
        awaitRows("acidq_message", 1);
        assertThat(strings("SELECT q.name FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue"))
                .containsExactly("after");
    }

    @Test
    void doesNotOverlapWithTheMessageOfOneThatIsRemovedInTheSameTransaction() {
        engine(e -> e);
        for (Recurring each : List.of(
                Recurring.message("skip", OFTEN, "report").withOverlap(Overlap.SKIP),
                Recurring.message("delay", Schedule.after(Duration.ofMillis(100)), "report"))) {
            put(each);
            awaitUntil(() -> rows("acidq_tick WHERE name = '" + each.name() + "'") > 0);
            transactions.run(() -> {
                recurring().remove(each.name());
                assertThat(recurring().put(each)).isEqualTo(PutResult.ADDED);
            });
        }
        long overlapped = overlapped();
        awaitUntil(() -> overlapped() > overlapped + 2);
        assertThat(rows("acidq_message")).isEqualTo(2);
    }

    private long overlapped() {
        return rows("acidq_tick WHERE result = 'OVERLAPPED'");
    }

    /** The transaction of an operator's action is run again, that of a caller is not. */
    @Test
    void removesForAnOperatorAgainAfterADeadlock() {
        AtomicInteger deadlocks = new AtomicInteger();
        reopen(
                config -> {},
                pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
                    @Override
                    public void before(Connection raw, String sql) throws SQLException {
                        if (sql.startsWith("DELETE FROM acidq_recurring") && deadlocks.incrementAndGet() <= 2) {
                            throw new SQLException("Deadlock found when trying to get lock", "40001", 1213);
                        }
                    }
                }));
        put(daily("nightly"));
        assertThat(recurring().remove("nightly", new Operator("ada", "done"))).isTrue();
        assertThat(deadlocks).hasValue(3);
        assertThat(rows("acidq_audit WHERE action = 'remove-recurring'")).isEqualTo(1);
    }

    @Test
    void publishesToATopic() {
        sender().subscriptions().subscribe("day.ended", "billing");
        sender().subscriptions().subscribe("day.ended", "stock");
        engine(e -> e);
        put(Recurring.publication("day", OFTEN, "day.ended"));
        awaitUntil(() -> rows("acidq_tick") > 0);
        recurring().pause("day", new Operator("ada", "enough"));
        assertThat(rows("acidq_message")).isEqualTo(2 * rows("acidq_tick"));
        assertThatThrownBy(() -> Recurring.publication("day", Schedule.after(Duration.ofSeconds(1)), "day.ended"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("'day'");
    }

    @Test
    void tellsThatNoSubscriptionHasTakenATick() {
        put(Recurring.publication("end of day", DAILY, "day.ended"));
        assertThat(recurring().trigger("end of day", new Operator("ada", "again")))
                .isFalse();
        assertThat(history("end of day")).containsExactly("UNSUBSCRIBED 0");
        sender().subscriptions().subscribe("day.ended", "billing");
        assertThat(recurring().trigger("end of day", new Operator("ada", "again")))
                .isTrue();
        assertThat(history("end of day")).containsExactly("TRIGGERED 0", "UNSUBSCRIBED 0");
    }

    @Test
    void refusesAPublicationToATopicThatNobodyHasSubscribedToIfTheEngineIsSetSo() {
        Recurring publication = Recurring.publication("end of day", DAILY, "day.ended");
        assertThatThrownBy(() -> engine(e -> e.config(QUICK.withUnsubscribedTopics(UnsubscribedAction.FAIL))
                        .recurring(publication)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'end of day'", "'day.ended'", "has no subscription");
        assertThat(rows("acidq_recurring")).isZero();
    }

    @Test
    void isDeclaredByEnginesAndKeepsWhatAnOperatorHasChanged() {
        engine(e -> e.recurring(daily("nightly")));
        RecurringInfo first = recurring().find("nightly").orElseThrow();
        assertThat(first.declared()).isTrue();
        recurring().reschedule("nightly", Schedule.cron("0 0 5 * * *", "UTC"), new Operator("ada", "later"));
        recurring().pause("nightly", new Operator("ada", "audit week"));
        engine(e -> e.recurring(daily("nightly")));
        assertThat(recurring().find("nightly").orElseThrow().schedule()).isEqualTo("0 0 5 * * *");
        engine(e -> e.recurring(Recurring.message("nightly", Schedule.cron("0 0 4 * * *", "UTC"), "report")));
        assertThat(recurring().find("nightly").orElseThrow().schedule()).isEqualTo("0 0 4 * * *");
        assertThat(recurring().find("nightly").orElseThrow().paused()).isTrue();
        assertThatThrownBy(() -> engine(e -> e.recurring(daily("a")).recurring(daily("a"))))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("'a' is declared twice");
    }

    /** A payload whose collections come in another order in each process. */
    record Bag(Set<String> words, Map<String, Integer> numbers) {}

    /** With the same content as others, in an order that depends on the capacity. */
    private static Bag bag(int capacity) {
        Set<String> words = new HashSet<>(capacity);
        Map<String, Integer> numbers = new HashMap<>(capacity);
        for (int i = 0; i < 50; i++) {
            words.add("word" + i * 7919);
            numbers.put("number" + i * 7919, i);
        }
        return new Bag(words, numbers);
    }

    @Test
    void isTheSameWhenTheElementsOfASetComeInAnotherOrder() {
        assertThat(bag(1).words().toString()).isNotEqualTo(bag(1 << 16).words().toString());
        Recurring first = Recurring.message("nightly", DAILY, "report").withPayload(bag(1));
        Recurring second = first.withPayload(bag(1 << 16));
        engine(e -> e.recurring(first));
        recurring().reschedule("nightly", Schedule.cron("0 0 5 * * *", "UTC"), new Operator("ada", "later"));
        engine(e -> e.recurring(second));
        assertThat(recurring().find("nightly").orElseThrow().schedule()).isEqualTo("0 0 5 * * *");
        put(first);
        assertThat(put(second)).isEqualTo(PutResult.UNCHANGED);
    }

    @Test
    void givesTheMessageOfATickItsOwnTimeToLive() {
        put(daily("nightly").withExpiresAfter(Duration.ofHours(3)));
        recurring().trigger("nightly", new Operator("ada", "now"));
        assertThat(rows("acidq_message WHERE expires_at = enqueued_at + INTERVAL 3 HOUR"))
                .isEqualTo(1);
        assertThat(recurring().find("nightly").orElseThrow().expiresAfter()).contains(Duration.ofHours(3));
        assertThat(put(daily("nightly"))).isEqualTo(PutResult.CHANGED);
    }

    @Test
    void spreadsTheTicksOfManyByTheirNamesAndRecordsTheInstantOfTheSchedule() {
        Duration spread = Duration.ofMinutes(10);
        Recurring each = Recurring.message("tenant 0", Schedule.every(Duration.ofDays(1)), "report");
        List<String> names = IntStream.range(0, 50).mapToObj(i -> "tenant " + i).toList();
        transactions.run(() -> names.forEach(name -> recurring()
                .put(Recurring.message(name, each.schedule(), "report").withSpread(spread))));
        List<Long> offsets = names.stream()
                .map(name -> recurring().next(name, 2))
                .peek(next -> assertThat(next.get(1)).isEqualTo(next.get(0).plus(Duration.ofDays(1))))
                .map(next -> next.get(0).toEpochMilli() % Duration.ofDays(1).toMillis())
                .toList();
        assertThat(offsets).allMatch(offset -> offset < spread.toMillis());
        assertThat(offsets.stream().distinct().count()).isGreaterThan(40);
        assertThat(put(Recurring.message("tenant 0", each.schedule(), "report").withSpread(spread)))
                .isEqualTo(PutResult.UNCHANGED);
        sql("UPDATE acidq_recurring SET next_at = next_at - INTERVAL 1 DAY");
        engine(e -> e);
        awaitRows("acidq_tick", 50);
        assertThat(names)
                .allSatisfy(name -> assertThat(
                                recurring().ticks(name, 1).get(0).at().getEpochSecond() % 86_400)
                        .isZero());
        assertThat(names.stream()
                        .map(name -> recurring().next(name, 1).get(0).toEpochMilli()
                                % Duration.ofDays(1).toMillis())
                        .toList())
                .isEqualTo(offsets);
        assertThatThrownBy(() -> Recurring.message("a", Schedule.after(Duration.ofHours(1)), "report")
                        .withSpread(spread))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("a fixed delay has no spread");
    }

    /** A tick that waits for the end of its spread was lost, because the next one was searched from now. */
    @Test
    void keepsATickThatWaitsForTheEndOfItsSpreadWhenTheSpreadChanges() {
        Duration spread = Duration.ofHours(20);
        Duration offset = Recurring.spreadOf("nightly", spread);
        int inHalfAYear = LocalDate.now(ZoneOffset.UTC).plusMonths(6).getMonthValue();
        Recurring yearly = Recurring.message(
                        "nightly", Schedule.cron("0 0 12 1 " + inHalfAYear + " *", "UTC"), "report")
                .withPayload(new Step("nightly", 1));
        put(yearly.withSpread(spread));
        sql("UPDATE acidq_recurring SET next_at = UTC_TIMESTAMP(6) + INTERVAL 1 SECOND");
        Instant pending = recurring().next("nightly", 1).get(0).minus(offset);
        assertThat(put(yearly.withSpread(Duration.ofHours(10)))).isEqualTo(PutResult.CHANGED);
        assertThat(recurring().next("nightly", 1))
                .containsExactly(pending.plus(Recurring.spreadOf("nightly", Duration.ofHours(10))));
        put(yearly.withGrace(Duration.ofDays(2)));
        engine(e -> e);
        awaitRows("acidq_tick", 1);
        assertThat(recurring().ticks("nightly", 10)).singleElement().satisfies(entry -> {
            assertThat(entry.result()).isEqualTo(TickResult.ENQUEUED);
            assertThat(entry.at()).isEqualTo(pending);
        });
    }

    @Test
    void listsWithTheNextTicks() {
        put(daily("a/1"));
        put(daily("a/2"));
        put(daily("b"));
        put(daily("a_%1"));
        put(Recurring.message("delay", Schedule.after(Duration.ofHours(1)), "report"));
        assertThat(recurring().list("a/", 10)).extracting(RecurringInfo::name).containsExactly("a/1", "a/2");
        assertThat(recurring().list("a_%", 10)).extracting(RecurringInfo::name).containsExactly("a_%1");
        assertThat(recurring().list("", 10)).hasSize(5);
        List<Instant> next = recurring().next("b", 3);
        assertThat(next).hasSize(3).doesNotHaveDuplicates();
        assertThat(DAILY.next(next.get(0))).contains(next.get(1));
        assertThat(recurring().next("delay", 3)).hasSize(1);
    }

    @Test
    void refusesAtThePutWhatTheEnqueueOfATickWouldRefuse() {
        listen("report", this::effect);
        Engine listening = engine(e -> e.listen(on("steps", this::effect)));
        assertThatThrownBy(() -> transactions.call(() -> listening
                        .recurring()
                        .put(Recurring.message("nightly", DAILY, "steps").withPayload(List.of(1)))))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("'steps'");
        assertThatThrownBy(() -> put(daily("nightly").withHeader("long", "x".repeat(7950))))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("headers");
        assertThatThrownBy(() -> daily("nightly").withHeader("acidq-missed", "9"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'nightly'", "'acidq-missed'", "withPayload");
        for (String name : List.of("a//b", "/a", "a/", "a/../b", "a\\b")) {
            assertThatThrownBy(() -> daily(name))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("'" + name + "'", "part between slashes");
        }
        assertThatThrownBy(() -> daily("a\nb"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("name of a recurring message");
        assertThat(recurring().list("", 10)).isEmpty();
    }

    /** This node could not enqueue the ticks, and another node made a dead letter of each. */
    @Test
    void refusesAPublicationThatAListenerOfTheTopicCannotRead() {
        Listener<Step> listener = Listener.onTopic("day.ended", "billing", Step.class, this::effect)
                .withFilter("kind = 'step'")
                .withRetry(ONE_ATTEMPT);
        Recurring unreadable = Recurring.publication("end of day", DAILY, "day.ended")
                .withPayload(new Other("x"))
                .withHeader("kind", "step");
        Engine listening = engine(e -> e.listen(listener));
        assertThatThrownBy(() -> put(unreadable))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(
                        "'end of day'", Other.class.getName(), "'day.ended/billing'", Step.class.getName());
        assertThatThrownBy(() -> put(
                        Recurring.publication("end of day", DAILY, "day.ended").withHeader("kind", "step")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(Tick.class.getName());
        assertThat(put(unreadable.withHeader("kind", "other"))).isEqualTo(PutResult.ADDED);
        assertThat(put(unreadable.withPayload(new Step("a", 1)))).isEqualTo(PutResult.CHANGED);
        listening.close();
        engine(e -> e.recurring(unreadable));
        assertThatThrownBy(() -> engine(e -> e.listen(listener).recurring(unreadable)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("'end of day'", Other.class.getName());
    }

    /** A payload that the listeners do not take. */
    record Other(String text) {}

    /** A schedule of a newer version, say, must not keep the others from their ticks. */
    @Test
    void leavesAloneWhatItCannotReadAndTicksTheOthers() {
        engine(e -> e);
        put(daily("unknown"));
        sql("UPDATE acidq_recurring SET schedule = 'every full moon', zone = ''");
        late("unknown", Duration.ofDays(1));
        put(Recurring.message("tick", OFTEN, "report"));
        awaitUntil(() -> rows("acidq_tick WHERE name = 'tick'") > 6);
        assertThat(history("unknown")).isEmpty();
        // the ticks came one by one, and not four together once a second
        assertThat(
                        rows(
                                "(SELECT done_at FROM acidq_tick WHERE name = 'tick' GROUP BY done_at HAVING COUNT(*) > 2) together"))
                .isZero();
    }

    @Test
    void listsWhatItCannotRead() {
        put(daily("unknown"));
        sql("UPDATE acidq_recurring SET misfire = 'perhaps', schedule = 'every full moon', zone = ''");
        assertThat(recurring().list("", 10)).singleElement().satisfies(info -> {
            assertThat(info.misfire()).isEqualTo("perhaps");
            assertThat(info.schedule()).isEqualTo("every full moon");
        });
        assertThatThrownBy(() -> recurring().next("unknown", 1))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'unknown'", "every full moon");
    }

    /** As many as an old node has that does not know a new time zone of many tenants. */
    @Test
    void ticksTheOthersWhenItCannotReadManyThatAreDueEarlier() {
        transactions.run(() -> IntStream.range(0, 250).forEach(i -> recurring().put(daily("unknown" + i))));
        sql("UPDATE acidq_recurring SET zone = 'Mars/Base', next_at = UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE");
        put(Recurring.message("tick", OFTEN, "report"));
        engine(e -> e);
        awaitUntil(() -> rows("acidq_tick WHERE name = 'tick'") > 2);
        assertThat(rows("acidq_tick WHERE name <> 'tick'")).isZero();
    }

    /** As after the clock of the server was set back and the schedule changed. */
    @Test
    void enqueuesNothingForATickThatIsRecorded() {
        put(daily("nightly"));
        late("nightly", Duration.ofSeconds(5));
        sql("INSERT INTO acidq_tick (name, tick_at, result, missed, done_at)"
                + " SELECT name, next_at, 'ENQUEUED', 0, next_at FROM acidq_recurring");
        engine(e -> e);
        awaitUntil(() -> recurring().next("nightly", 1).get(0).isAfter(Instant.now()));
        assertThat(rows("acidq_message")).isZero();
        assertThat(history("nightly")).hasSize(1);
    }

    @Test
    void startsAFixedDelayAnewWhenItsTickIsRecordedAndTicksTheOthers() {
        put(Recurring.message("delay", Schedule.after(Duration.ofMillis(200)), "report"));
        put(Recurring.message("other", OFTEN, "report"));
        late("delay", Duration.ofSeconds(5));
        sql("INSERT INTO acidq_tick (name, tick_at, result, missed, done_at)"
                + " SELECT name, next_at, 'ENQUEUED', 0, next_at FROM acidq_recurring WHERE name = 'delay'");
        engine(e -> e);
        awaitUntil(() -> history("delay").size() == 2 && history("other").size() > 2);
    }

    @Test
    void removesOldHistory() {
        put(daily("nightly"));
        recurring().trigger("nightly", new Operator("ada", "old"));
        sql("UPDATE acidq_tick SET done_at = done_at - INTERVAL 2 HOUR");
        recurring().trigger("nightly", new Operator("ada", "new"));
        engine(e -> e.config(QUICK.withRetention(Retention.defaults().withTicks(Duration.ofHours(1)))));
        awaitRows("acidq_tick", 1);
    }

    /** Writes the calls of an interceptor, and adds a header. */
    private static Interceptor recording(Queue<String> calls) {
        return new Interceptor() {
            @Override
            public Enqueueing enqueueing(String destination, List<NewMessage> messages) {
                return new Enqueueing() {
                    @Override
                    public Map<String, String> headers() {
                        return Map.of("trace", "to-" + destination);
                    }

                    @Override
                    public void ended(List<Enqueued> results) {
                        calls.add(destination + " added " + results.size() + " of " + messages.size());
                    }

                    @Override
                    public void failed(Throwable failure) {
                        calls.add(destination + " failed");
                    }

                    @Override
                    public void committed() {
                        calls.add(destination + " committed");
                    }
                };
            }
        };
    }

    @Test
    void callsInterceptorsAroundTheTicksOfEachQueueAndAroundEachPublishAndReportsThem() {
        sender().subscriptions().subscribe("day.ended", "billing");
        put(daily("a"));
        put(daily("b"));
        put(Recurring.message("c", DAILY, "other"));
        put(Recurring.publication("d", DAILY, "day.ended"));
        List.of("a", "b", "c", "d").forEach(name -> late(name, Duration.ofSeconds(5)));
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        Queue<String> ticked = new ConcurrentLinkedQueue<>();
        engine(e -> e.interceptor(recording(calls)).telemetry(new Telemetry() {
            @Override
            public void ticked(Tick tick, TickResult result, Duration late) {
                ticked.add(tick.name() + " " + result + " " + (late.toSeconds() >= 5));
            }
        }));
        awaitUntil(() -> ticked.size() == 4);
        assertThat(ticked)
                .containsExactlyInAnyOrder("a ENQUEUED true", "b ENQUEUED true", "c ENQUEUED true", "d ENQUEUED true");
        assertThat(calls)
                .containsExactlyInAnyOrder(
                        "report added 2 of 2",
                        "other added 1 of 1",
                        "day.ended added 1 of 1",
                        "report committed",
                        "other committed",
                        "day.ended committed");
        assertThat(count("SELECT COUNT(*) FROM acidq_message WHERE CONVERT(headers USING utf8mb4) LIKE '%to-report%'"))
                .isEqualTo(2);
        calls.clear();
        ticked.clear();
        recurring().trigger("c", new Operator("ada", "again"));
        assertThat(calls).containsExactly("other added 1 of 1", "other committed");
        assertThat(ticked).containsExactly("c TRIGGERED false");
    }

    @Test
    void retriesMessagesOfTicksAsOthers() {
        listen(Listener.on("report", Step.class, (step, delivery) -> {
                    if (delivery.attempt() == 1) {
                        throw new IllegalStateException("fails once");
                    }
                    assertThat(delivery.tick()).isPresent();
                    return effect(step, delivery);
                })
                .withRetry(RetryPolicy.defaults().withBackoff(Backoff.fixed(Duration.ofMillis(10)))));
        put(daily("nightly"));
        recurring().trigger("nightly", new Operator("ada", "now"));
        awaitUntil(() -> effects() == 1);
    }
}
