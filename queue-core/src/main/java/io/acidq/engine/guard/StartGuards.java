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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The guards of one queue in this node, asked one after the other: all of them must let a start through. */
public final class StartGuards {

    /** No guard at all: nothing is locked, allocated or looked up. */
    public static final StartGuards NONE = new StartGuards("", List.of(), () -> 0, new Telemetry() {});

    private static final long MIN_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    /** When a guard does not answer. */
    private static final Duration WAIT_AFTER_FAILURE = Duration.ofMillis(100);

    private final String queue;
    private final Guard[] guards; // an array: to ask none of them makes no iterator
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final FailureTracker failures;
    private final Map<Claim, Permit> permits = new ConcurrentHashMap<>();
    private final List<GuardState.Status> reportedStatuses = new ArrayList<>();

    /**
     * The guards of a queue.
     *
     * @param guards in the order in which they are asked: one whose permits cannot be given back comes last
     */
    public StartGuards(String queue, List<Guard> guards, LongSupplier nanoTime, Telemetry telemetry) {
        this.queue = queue;
        this.guards = guards.toArray(Guard[]::new);
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.failures = new FailureTracker("guards of queue " + queue, telemetry);
        this.reportedStatuses.addAll(Collections.nCopies(guards.size(), GuardState.Status.LETS_THROUGH));
    }

    /** Lets a start through, or not now. */
    public boolean enter(Claim claim) {
        if (guards.length == 0) {
            return true;
        }
        List<Guard.Entry> entries = new ArrayList<>(guards.length);
        Permit permit = new Permit(entries, nanoTime, failures::failed);
        if (!enterAll(entries)) {
            permit.close();
            return false;
        }
        permits.put(claim, permit);
        return true;
    }

    /** One that throws lets nothing through: it may be code of the application, and other messages may have begun already. */
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
            failures.failed(e);
            return false;
        }
    }

    /** The permits of messages that were let through; each to be closed. */
    public Map<Claim, Permit> takePermits(List<ClaimedMessage> started) {
        return guards.length == 0
                ? Map.of()
                : started.stream().map(ClaimedMessage::claim).collect(Collectors.toMap(c -> c, this::takePermit));
    }

    /** The permit of one that was let through; to be closed. */
    Permit takePermit(Claim claim) {
        Permit permit = guards.length == 0 ? null : permits.remove(claim);
        return permit == null ? Permit.UNGUARDED : permit;
    }

    /** How many of the wanted messages are worth claiming, beside those that are claimed and could start. */
    public int freeCapacity(int wanted, int startable) {
        int room = wanted;
        for (Guard guard : guards) {
            room = Math.min(room, Math.max(0, askOrElse(guard::freeCapacity, 0) - startable));
        }
        return room;
    }

    /** Nanoseconds until a guard may change by the mere passing of time, or the given number when that is less. */
    public long nanosToWait(long atMost) {
        long nap = atMost;
        for (Guard guard : guards) {
            nap = Math.min(
                    nap,
                    Math.max(
                            MIN_WAIT_NANOS,
                            askOrElse(guard::untilChange, WAIT_AFTER_FAILURE).toNanos()));
        }
        return nap;
    }

    /** What stops claiming now, or null. */
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

    /** The states of those that answer. */
    public List<GuardState> states() {
        return Arrays.stream(guards).flatMap(g -> Stream.ofNullable(state(g))).toList();
    }

    /** Reports each change since the last call, once; whether there was any. A bulkhead changes with each run, which is not reported. */
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

    /** What a guard answers. It may be code of the application, and the threads that ask go on whatever it throws. */
    private <T> T askOrElse(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (Throwable e) {
            failures.failed(e);
            return otherwise;
        }
    }
}
