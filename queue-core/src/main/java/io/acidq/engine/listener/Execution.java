package io.acidq.engine.listener;

import io.acidq.engine.guard.Permit;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of what a worker has taken: a message, or several for one transaction. Knows which call of the handler is under way, so that
 * another thread can stop one that exceeds its limit. Thread-safe.
 */
final class Execution {

    /** How far a call has been stopped. */
    private enum Stage {
        RUNNING(0),
        INTERRUPTED(1),
        ABORTED(2);

        /** How many graces after the limit the next step comes. */
        private final int graces;

        Stage(int graces) {
            this.graces = graces;
        }
    }

    /** Who has ended it: its own worker, or the enforcer of the timeout. */
    private enum End {
        NONE,
        FINISHED,
        GIVEN_UP
    }

    private final List<ClaimedMessage> messages;
    private final Map<Claim, Permit> permits;
    private final long began;
    private final BooleanSupplier mayCall;
    private final BooleanSupplier stopping;
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<End> end = new AtomicReference<>(End.NONE);
    private List<ClaimedMessage> called = List.of();
    private boolean wasCalled;
    private @Nullable Runnable breaker;
    private long callBegan;
    private Stage stage = Stage.RUNNING;
    private List<ClaimedMessage> late = List.of();

    /**
     * An execution on the calling thread.
     *
     * @param permits  those of the messages that guards let start
     * @param began    now, by the monotonic clock
     * @param mayCall  whether no outage has begun since: where a transaction begins after one, the claims may never have been made
     * @param stopping whether the engine interrupts handlers to stop
     */
    Execution(
            List<ClaimedMessage> messages,
            Map<Claim, Permit> permits,
            long began,
            BooleanSupplier mayCall,
            BooleanSupplier stopping) {
        this.messages = messages;
        this.permits = permits;
        this.began = began;
        this.mayCall = mayCall;
        this.stopping = stopping;
    }

    List<ClaimedMessage> messages() {
        return messages;
    }

    /** Tells the guards how a message did. */
    Permit permit(ClaimedMessage message) {
        return permits.getOrDefault(message.claim(), Permit.FREE);
    }

    /** Gives back the permits whose guards were told nothing. */
    void releasePermits() {
        permits.values().forEach(Permit::close);
    }

    long began() {
        return began;
    }

    Thread thread() {
        return thread;
    }

    /** A message is begun, alone: until {@link #callBegins} the handler is not called for it. */
    synchronized void begins() {
        wasCalled = false;
        late = List.of();
        stage = Stage.RUNNING;
    }

    /** Asked when the transaction has begun: it may have waited long for its connection. */
    boolean mayCall() {
        return mayCall.getAsBoolean();
    }

    /** Whether the handler was called since a message was begun. */
    synchronized boolean wasCalled() {
        return wasCalled;
    }

    /**
     * The handler is called now.
     *
     * @param together the messages of this call
     * @param breaksIt breaks the connection of its transaction; null when it has none
     */
    synchronized void callBegins(List<ClaimedMessage> together, @Nullable Runnable breaksIt, long now) {
        called = together;
        wasCalled = true;
        breaker = breaksIt;
        callBegan = now;
        stage = Stage.RUNNING;
        late = List.of();
        if (stopping.getAsBoolean()) {
            thread.interrupt();
        }
    }

    /** The call is over; what stopped it does not reach the code after it. */
    synchronized void callEnds() {
        if (stage != Stage.RUNNING) {
            late = called;
        }
        if (isCutShort()) {
            Thread.interrupted();
        }
        called = List.of();
        breaker = null;
    }

    /**
     * The engine has begun to interrupt handlers. An acknowledgement under way is let through: on a virtual thread an interrupt would close
     * its connection, and what an external handler has done would be done again.
     */
    synchronized void interrupt() {
        if (!wasCalled || !called.isEmpty()) {
            thread.interrupt();
        }
    }

    /** Whether the engine interrupts handlers to stop, so that a failure is no fault of the message. */
    boolean isStopping() {
        return stopping.getAsBoolean();
    }

    /** Whether a call was stopped at its limit. */
    synchronized boolean wasStopped() {
        return stage != Stage.RUNNING;
    }

    /** Whether what a handler throws now may be because the engine cut it short: at its limit, or to stop. */
    boolean isCutShort() {
        return wasStopped() || isStopping();
    }

    /**
     * The message whose call was stopped at its limit; null when none was, or when several were handled in that call, any of which may be to
     * blame.
     */
    synchronized @Nullable ClaimedMessage late() {
        List<ClaimedMessage> stopped = stage == Stage.RUNNING ? List.of() : called.isEmpty() ? late : called;
        return stopped.size() == 1 ? stopped.get(0) : null;
    }

    /** Stops the call a step further when the time for that has come. */
    synchronized Overdue check(long now, long limit, long grace) {
        if (called.isEmpty()) {
            return new Overdue(limit, false, null);
        }
        long left = limit + stage.graces * grace - (now - callBegan);
        if (left > 0) {
            return new Overdue(left, false, null);
        }
        if (stage == Stage.RUNNING) {
            stage = Stage.INTERRUPTED;
            thread.interrupt();
            return new Overdue(grace, false, null);
        }
        if (stage == Stage.INTERRUPTED) {
            stage = Stage.ABORTED;
            thread.interrupt();
            return new Overdue(grace, false, breaker);
        }
        return new Overdue(grace, true, null);
    }

    /** Its worker ends it; false when it was given up before. */
    boolean finish() {
        return end.compareAndSet(End.NONE, End.FINISHED);
    }

    /** The enforcer of the timeout ends it in the place of its worker; false when the worker was first. */
    boolean giveUp() {
        return end.compareAndSet(End.NONE, End.GIVEN_UP);
    }

    /** Whether it was given up: nothing more of it may start. */
    boolean isGivenUp() {
        return end.get() == End.GIVEN_UP;
    }

    /**
     * What to do about a call.
     *
     * @param nanosLeft until the next check
     * @param hopeless  whether it is to be given up
     * @param toBreak   breaks its connection; null when it is not to be broken
     */
    record Overdue(
            long nanosLeft, boolean hopeless, @Nullable Runnable toBreak) {}
}
