package io.acidq.engine.maintenance;

import io.acidq.AcidqException;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring.Misfire;
import io.acidq.Schedule;
import io.acidq.TransientQueueException;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.maintenance.TickEnqueuer.DueTick;
import io.acidq.engine.maintenance.TickPlan.PlannedTick;
import io.acidq.store.DatabaseError;
import io.acidq.store.RecurringStore;
import io.acidq.store.RecurringStore.Advance;
import io.acidq.store.RecurringStore.DueName;
import io.acidq.store.RecurringStore.NextDue;
import io.acidq.store.RecurringStore.StoredRecurring;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues the messages of recurring messages when their ticks are due. Each started engine does this for all of them. One transaction locks those
 * that are due and that no other node has locked, enqueues their messages, records the ticks and sets the next ones, so a tick is enqueued once,
 * whatever dies. The primary key of the recorded ticks is a second guard.
 */
public final class Ticker implements PeriodicTask {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");

    /** The wait while no recurring message has a tick: another process may add one. One that is added in this process wakes the task. */
    private static final Duration WAIT_WITHOUT_TICKS = Duration.ofSeconds(10);

    /** The longest wait for a tick: another process may change it, and the database's clock may be set. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** The wait when another node has locked what is due. */
    private static final Duration WAIT_FOR_OTHER_NODE = Duration.ofMillis(50);

    private static final Duration WAIT_AFTER_FAILURE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_CHECK = Duration.ofMillis(100);
    private static final Duration LONGEST_CHECK = Duration.ofMinutes(1);
    private static final int CHECKS_PER_DELAY = 10;
    private static final int NAMES_PER_RUN = 200;
    private static final long BYTES_PER_TRANSACTION = 8L << 20;

    private final RecurringStore store;
    private final Transactions transactions;
    private final TickEnqueuer tickEnqueuer;
    private final LongSupplier nanoTime;

    /** When those that cannot be enqueued by this node are tried again, by {@link #nanoTime}. */
    private final Map<String, Long> failed = new ConcurrentHashMap<>();

    public Ticker(RecurringStore store, Transactions transactions, TickEnqueuer tickEnqueuer, LongSupplier nanoTime) {
        this.store = store;
        this.transactions = transactions;
        this.tickEnqueuer = tickEnqueuer;
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return "ticker";
    }

    @Override
    public Duration runOnce() throws Exception {
        long now = nanoTime.getAsLong();
        failed.values().removeIf(until -> until - now <= 0);
        // those that failed stay due, and must not set the pace of the others
        NextDue next = store.nextDue(failed.keySet());
        if (next == null) {
            return failed.isEmpty() ? WAIT_WITHOUT_TICKS : LONGEST_WAIT;
        }
        if (next.at().isAfter(next.now())) {
            Duration wait = Duration.between(next.now(), next.at());
            return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
        }
        // those that failed may be the first of the index
        List<DueName> due = store.due(NAMES_PER_RUN + failed.size()).stream()
                .filter(name -> !failed.containsKey(name.name()))
                .limit(NAMES_PER_RUN)
                .toList();
        if (due.isEmpty()) {
            return LONGEST_WAIT;
        }
        int done = 0;
        for (List<String> names : batches(due)) {
            done += tickTogether(names);
        }
        return done > 0 ? Duration.ZERO : WAIT_FOR_OTHER_NODE;
    }

    /** Divides names so that the payloads of a batch fit into memory. Sorted, so that two nodes lock rows in the same order. */
    private static List<List<String>> batches(List<DueName> due) {
        List<List<String>> batches = new ArrayList<>();
        List<String> batch = new ArrayList<>();
        long bytes = 0;
        for (DueName name : due) {
            if (!batch.isEmpty() && bytes + name.size() > BYTES_PER_TRANSACTION) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(name.name());
            bytes += name.size();
        }
        batches.add(batch);
        return batches.stream().map(names -> names.stream().sorted().toList()).toList();
    }

    /** Returns how many were ticked. If one fails, each is tried alone, so that it does not hold up the others. */
    private int tickTogether(List<String> names) throws Exception {
        try {
            return inNew(() -> enqueueTicks(store.lockDue(names), false));
        } catch (TransientQueueException e) {
            throw e;
        } catch (RuntimeException e) {
            return tickEachAlone(names);
        }
    }

    private int tickEachAlone(List<String> names) throws Exception {
        int done = 0;
        for (String name : names) {
            try {
                done += tickUnlessRecorded(name);
            } catch (TransientQueueException e) {
                throw e;
            } catch (RuntimeException e) {
                giveUp(name, e);
            }
        }
        return done;
    }

    /** Ticks one. If its tick is recorded already, as after the clock of the database was set back, enqueues nothing and sets the next one. */
    private int tickUnlessRecorded(String name) throws Exception {
        try {
            return inNew(() -> enqueueTicks(store.lockDue(List.of(name)), false));
        } catch (RuntimeException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return inNew(() -> enqueueTicks(store.lockDue(List.of(name)), true));
        }
    }

    /**
     * Runs work in a transaction of its own. If none can be begun now, as with a full pool, no tick is at fault: the task fails as a whole and is
     * soon run again. What the work itself throws, an interceptor for example, belongs to its ticks.
     */
    private int inNew(Callable<Integer> work) throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            return transactions.inNew(() -> {
                begun.set(true);
                return work.call();
            });
        } catch (RuntimeException e) {
            DatabaseError error = DatabaseError.of(e);
            if (begun.get() || error == null || !error.isTransient()) {
                throw e;
            }
            throw new TransientQueueException("due ticks cannot be enqueued now: " + e.getMessage(), e);
        }
    }

    private void giveUp(String name, RuntimeException e) {
        failed.put(name, nanoTime.getAsLong() + WAIT_AFTER_FAILURE.toNanos());
        log.error(
                "the tick of recurring message '{}' cannot be enqueued by this node: {}. Another node may enqueue it; this node tries again in {} s",
                name,
                e.getMessage(),
                WAIT_AFTER_FAILURE.toSeconds(),
                e instanceof AcidqException ? null : e);
    }

    /**
     * Enqueues the messages of what is due.
     *
     * @param recorded whether the ticks are recorded already, so that they enqueue nothing
     */
    private int enqueueTicks(List<StoredRecurring> rows, boolean recorded) {
        List<DueTick> ticks = new ArrayList<>();
        List<NextState> states = new ArrayList<>();
        for (StoredRecurring row : rows) {
            Schedule schedule = readSchedule(row);
            NextState each = schedule == null
                    ? null
                    : schedule.kind() == Schedule.Kind.AFTER
                            ? afterDelay(row, schedule, recorded, ticks)
                            : onSchedule(row, schedule, recorded, ticks);
            if (each != null) {
                states.add(each);
            }
        }
        tickEnqueuer.write(ticks);
        if (!states.isEmpty()) {
            store.advance(states.stream().map(NextState::toAdvance).toList());
        }
        return states.size();
    }

    /** Reads a schedule; null when this node cannot, as when a newer one has written it. */
    private @Nullable Schedule readSchedule(StoredRecurring row) {
        try {
            return Schedule.parse(row.schedule(), row.zone());
        } catch (QueueMisuseException e) {
            giveUp(row.name(), e);
            return null;
        }
    }

    private @Nullable NextState onSchedule(
            StoredRecurring row, Schedule schedule, boolean recorded, List<DueTick> ticks) {
        boolean notEnded = row.skipOverlap() && previousHasNotEnded(row);
        Duration spread = row.spread(); // the plan has the instants of the schedule
        TickPlan plan = TickPlan.of(
                schedule,
                Objects.requireNonNull(row.nextAt()).minus(spread), // it is due
                row.now().minus(spread),
                Duration.of(row.graceMicros(), ChronoUnit.MICROS),
                Misfire.parse(row.misfire()),
                !row.skipOverlap(),
                notEnded);
        Instant next = plan.next() == null ? null : plan.next().plus(spread);
        if (recorded) {
            return new NextState(row, next, notEnded, null);
        }
        DueTick last = null;
        for (PlannedTick planned : plan.ticks()) {
            DueTick tick = new DueTick(row, planned.at(), planned.result(), planned.missed());
            ticks.add(tick);
            last = planned.result() == TickResult.ENQUEUED ? tick : last;
        }
        return new NextState(row, next, notEnded, row.skipOverlap() ? last : null);
    }

    /** Looks for the end of the previous message. The delay begins when it is found, and its end is the tick. */
    private NextState afterDelay(StoredRecurring row, Schedule schedule, boolean recorded, List<DueTick> ticks) {
        if (previousHasNotEnded(row)) {
            return new NextState(row, row.now().plus(checkInterval(schedule)), true, null);
        }
        if (row.lastUid() != null || recorded) {
            return new NextState(row, schedule.next(row.now()).orElse(null), false, null);
        }
        DueTick tick = new DueTick(row, Objects.requireNonNull(row.nextAt()), TickResult.ENQUEUED, 0);
        ticks.add(tick);
        return new NextState(row, row.now().plus(checkInterval(schedule)), false, tick);
    }

    /** Returns how long after the last look a node looks again whether the message of a fixed delay has ended. */
    public static Duration checkInterval(Schedule schedule) {
        Duration tenth = schedule.period().dividedBy(CHECKS_PER_DELAY);
        Duration atLeast = tenth.compareTo(SHORTEST_CHECK) < 0 ? SHORTEST_CHECK : tenth;
        return atLeast.compareTo(LONGEST_CHECK) < 0 ? atLeast : LONGEST_CHECK;
    }

    private boolean previousHasNotEnded(StoredRecurring row) {
        return row.lastUid() != null && store.hasNotEnded(row.lastQueue(), row.lastLane(), row.lastUid());
    }

    /**
     * Where a recurring message is after this run.
     *
     * @param notEnded whether the previous message has not ended
     * @param last     the tick whose message is now the previous one
     */
    private record NextState(
            StoredRecurring row,
            @Nullable Instant next,
            boolean notEnded,
            @Nullable DueTick last) {

        Advance toAdvance() {
            if (last == null && notEnded) {
                return Advance.same(row, next);
            }
            return Advance.of(row.name(), next, last == null ? null : last.id());
        }
    }
}
