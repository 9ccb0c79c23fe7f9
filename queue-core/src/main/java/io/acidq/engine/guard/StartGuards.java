package io.acidq.engine.guard;

import io.acidq.engine.loop.FailureTracker;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The guards of one queue in this node. A message starts only if all of them permit it. Thread-safe. */
public final class StartGuards {

    /** A queue without guards. It locks and allocates nothing. */
    public static final StartGuards NONE = new StartGuards("", List.of(), () -> 0, new Telemetry() {});

    private static final long MIN_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    /** The wait before a guard that threw is asked again. */
    private static final Duration WAIT_AFTER_FAILURE = Duration.ofMillis(100);

    private final String queue;
    private final Guard[] guards; // an array, so that a queue without guards allocates no iterator
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final FailureTracker failures;
    private final Map<Claim, Permit> permits = new ConcurrentHashMap<>();
    private final List<GuardState.Status> reportedStatuses = new ArrayList<>();

    /**
     * The guards of a queue.
     *
     * @param guards in the order in which they are asked; a guard whose permits cannot be returned comes last
     */
    public StartGuards(String queue, List<Guard> guards, LongSupplier nanoTime, Telemetry telemetry) {
        this.queue = queue;
        this.guards = guards.toArray(Guard[]::new);
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.failures = new FailureTracker("guards of queue " + queue, telemetry);
        this.reportedStatuses.addAll(Collections.nCopies(guards.size(), GuardState.Status.LETS_THROUGH));
    }

    /** Returns whether the message may start now. If so, the caller takes its permit with {@link #takePermits}. */
    public boolean enter(Claim claim) {
        if (guards.length == 0) {
            return true;
        }
        List<Guard.Entry> entries = new ArrayList<>(guards.length);
        Permit permit = new Permit(entries, nanoTime, failures::recordFailure);
        if (!enterAll(entries)) {
            permit.close();
            return false;
        }
        permits.put(claim, permit);
        return true;
    }

    /** Asks all guards. A guard that throws permits no start: it may be code of the application. */
    private boolean enterAll(List<Guard.Entry> entries) {
        try {
            for (Guard guard : guards) {
                Guard.Entry entry = guard.enter();
                if (entry == null) {
                    return false;
                }
                entries.add(entry);
            }
            return true;
        } catch (Throwable e) {
            failures.recordFailure(e);
            return false;
        }
    }

    /** Returns the permits of messages that may start. The caller must close each of them. */
    public Map<Claim, Permit> takePermits(List<ClaimedMessage> started) {
        return guards.length == 0
                ? Map.of()
                : started.stream().map(ClaimedMessage::claim).collect(Collectors.toMap(c -> c, this::takePermit));
    }

    Permit takePermit(Claim claim) {
        Permit permit = guards.length == 0 ? null : permits.remove(claim);
        return permit == null ? Permit.UNGUARDED : permit;
    }

    /** Returns how many of the wanted messages to claim, in addition to those that are claimed and have not started. */
    public int freeCapacity(int wanted, int startable) {
        int capacity = wanted;
        for (Guard guard : guards) {
            capacity = Math.min(capacity, Math.max(0, askOrElse(guard::freeCapacity, 0) - startable));
        }
        return capacity;
    }

    /** Returns the nanoseconds until a guard may change its answer without an event, at most the given number. */
    public long nanosToWait(long atMost) {
        long wait = atMost;
        for (Guard guard : guards) {
            wait = Math.min(
                    wait,
                    Math.max(
                            MIN_WAIT_NANOS,
                            askOrElse(guard::untilChange, WAIT_AFTER_FAILURE).toNanos()));
        }
        return wait;
    }

    /** Returns the state of the first guard that stops claims now; null when none does. */
    @Nullable
    public GuardState stoppingGuard() {
        for (Guard guard : guards) {
            GuardState state = state(guard);
            if (state != null && state.stopsClaiming()) {
                return state;
            }
        }
        return null;
    }

    /** Returns the states of all guards, except for guards that throw. */
    public List<GuardState> states() {
        return Arrays.stream(guards).flatMap(g -> Stream.ofNullable(state(g))).toList();
    }

    /** Reports each change of a status since the last call, except for bulkheads, which change with each run. Returns whether there was a change. */
    public boolean reportChanges() {
        return guards.length > 0 && reportEachChange();
    }

    private synchronized boolean reportEachChange() {
        boolean changed = false;
        for (int i = 0; i < guards.length; i++) {
            GuardState state = state(guards[i]);
            if (state != null
                    && state.kind() != GuardState.Kind.BULKHEAD
                    && reportedStatuses.set(i, state.status()) != state.status()) {
                telemetry.guardChanged(queue, state);
                changed = true;
            }
        }
        return changed;
    }

    private @Nullable GuardState state(Guard guard) {
        return askOrElse(() -> Optional.of(guard.state()), Optional.<GuardState>empty())
                .orElse(null);
    }

    /** Returns the answer of a guard. A guard may be code of the application: whatever it throws is reported, and does not end the calling thread. */
    private <T> T askOrElse(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (Throwable e) {
            failures.recordFailure(e);
            return otherwise;
        }
    }

    /**
     * The permission to start one message. It reports the outcome to the guards; the first report counts, either of the worker or of the timeout that gives the
     * run up. {@link #close} returns a permit without a report. Thread-safe.
     */
    public static final class Permit implements AutoCloseable {

        /** The permit of a queue without guards. */
        public static final Permit UNGUARDED = new Permit(List.of(), () -> 0, failure -> {});

        private final List<Guard.Entry> entries;
        private final LongSupplier nanoTime;
        private final Consumer<Throwable> onGuardFailure;
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile long startNanos;
        private volatile @Nullable Duration took;

        /**
         * The permit of a message that starts now.
         *
         * @param onGuardFailure gets what guards throw
         */
        Permit(List<Guard.Entry> entries, LongSupplier nanoTime, Consumer<Throwable> onGuardFailure) {
            this.entries = entries;
            this.nanoTime = nanoTime;
            this.onGuardFailure = onGuardFailure;
            this.startNanos = nanoTime.getAsLong();
        }

        /** The run of the message begins, perhaps for the second time. Its time is measured from here. */
        public void begin() {
            if (!entries.isEmpty()) {
                startNanos = nanoTime.getAsLong();
                took = null;
            }
        }

        /** The handler has returned. When it processed several messages in one call, each counts an equal share of the time. */
        public void handlerReturned(int messages) {
            if (!entries.isEmpty()) {
                took = Duration.ofNanos((nanoTime.getAsLong() - startNanos) / messages);
            }
        }

        public void reportSuccess() {
            complete(Guard.Entry::succeeded);
        }

        public void reportFailure(Throwable failure) {
            complete((entry, time) -> entry.failed(time, failure));
        }

        public void reportRequeued(Throwable failure) {
            complete((entry, time) -> entry.requeued(time, failure));
        }

        @Override
        public void close() {
            complete((entry, time) -> entry.unused());
        }

        private void complete(BiConsumer<Guard.Entry, Duration> report) {
            if (entries.isEmpty() || !ended.compareAndSet(false, true)) {
                return;
            }
            Duration measured = took;
            Duration time = measured == null ? Duration.ofNanos(nanoTime.getAsLong() - startNanos) : measured;
            for (Guard.Entry entry : entries) {
                try {
                    report.accept(entry, time);
                } catch (Throwable e) {
                    onGuardFailure.accept(e);
                }
            }
        }
    }
}
