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
        private final int gracePeriods;

        Stage(int graces) {
            this.gracePeriods = graces;
        }
    }

    /** Who has ended it: its own worker, or the enforcer of the timeout. */
    private enum EndState {
        NONE,
        FINISHED,
        GIVEN_UP
    }

    private final List<ClaimedMessage> messages;
    private final Map<Claim, Permit> permits;
    private final long startNanos;
    private final BooleanSupplier mayCall;
    private final BooleanSupplier stopping;
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<EndState> endState = new AtomicReference<>(EndState.NONE);
    private List<ClaimedMessage> messagesInCall = List.of();
    private boolean wasCalled;
    private @Nullable Runnable connectionAborter;
    private long callStartNanos;
    private Stage stage = Stage.RUNNING;
    private List<ClaimedMessage> overdueMessages = List.of();

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
        this.startNanos = began;
        this.mayCall = mayCall;
        this.stopping = stopping;
    }

    List<ClaimedMessage> messages() {
        return messages;
    }

    /** Tells the guards how a message did. */
    Permit permit(ClaimedMessage message) {
        return permits.getOrDefault(message.claim(), Permit.UNGUARDED);
    }

    /** Gives back the permits whose guards were told nothing. */
    void releasePermits() {
        permits.values().forEach(Permit::close);
    }

    long startNanos() {
        return startNanos;
    }

    Thread thread() {
        return thread;
    }

    /** A message is begun, alone: until {@link #beginCall} the handler is not called for it. */
    synchronized void beginAttempt() {
        wasCalled = false;
        overdueMessages = List.of();
        stage = Stage.RUNNING;
    }

    /** Asked when the transaction has begun: it may have waited long for its connection. */
    boolean mayCallHandler() {
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
    synchronized void beginCall(List<ClaimedMessage> together, @Nullable Runnable breaksIt, long now) {
        messagesInCall = together;
        wasCalled = true;
        connectionAborter = breaksIt;
        callStartNanos = now;
        stage = Stage.RUNNING;
        overdueMessages = List.of();
        if (stopping.getAsBoolean()) {
            thread.interrupt();
        }
    }

    /** The call is over; what stopped it does not reach the code after it. */
    synchronized void endCall() {
        if (stage != Stage.RUNNING) {
            overdueMessages = messagesInCall;
        }
        if (isCutShort()) {
            Thread.interrupted();
        }
        messagesInCall = List.of();
        connectionAborter = null;
    }

    /**
     * The engine has begun to interrupt handlers. An acknowledgement under way is let through: on a virtual thread an interrupt would close
     * its connection, and what an external handler has done would be done again.
     */
    synchronized void interrupt() {
        if (!wasCalled || !messagesInCall.isEmpty()) {
            thread.interrupt();
        }
    }

    /** Whether the engine interrupts handlers to stop, so that a failure is no fault of the message. */
    boolean isStopping() {
        return stopping.getAsBoolean();
    }

    /** Whether a call was stopped at its limit. */
    synchronized boolean hasTimedOut() {
        return stage != Stage.RUNNING;
    }

    /** Whether what a handler throws now may be because the engine cut it short: at its limit, or to stop. */
    boolean isCutShort() {
        return hasTimedOut() || isStopping();
    }

    /**
     * The message whose call was stopped at its limit; null when none was, or when several were handled in that call, any of which may be to
     * blame.
     */
    synchronized @Nullable ClaimedMessage overdueMessage() {
        List<ClaimedMessage> stopped =
                stage == Stage.RUNNING ? List.of() : messagesInCall.isEmpty() ? overdueMessages : messagesInCall;
        return stopped.size() == 1 ? stopped.get(0) : null;
    }

    /** Stops the call a step further when the time for that has come. */
    synchronized TimeoutCheck checkTimeout(long now, long limit, long grace) {
        if (messagesInCall.isEmpty()) {
            return new TimeoutCheck(limit, false, null);
        }
        long left = limit + stage.gracePeriods * grace - (now - callStartNanos);
        if (left > 0) {
            return new TimeoutCheck(left, false, null);
        }
        if (stage == Stage.RUNNING) {
            stage = Stage.INTERRUPTED;
            thread.interrupt();
            return new TimeoutCheck(grace, false, null);
        }
        if (stage == Stage.INTERRUPTED) {
            stage = Stage.ABORTED;
            thread.interrupt();
            return new TimeoutCheck(grace, false, connectionAborter);
        }
        return new TimeoutCheck(grace, true, null);
    }

    /** Its worker ends it; false when it was given up before. */
    boolean finish() {
        return endState.compareAndSet(EndState.NONE, EndState.FINISHED);
    }

    /** The enforcer of the timeout ends it in the place of its worker; false when the worker was first. */
    boolean giveUp() {
        return endState.compareAndSet(EndState.NONE, EndState.GIVEN_UP);
    }

    /** Whether it was given up: nothing more of it may start. */
    boolean isGivenUp() {
        return endState.get() == EndState.GIVEN_UP;
    }

    /**
     * What to do about a call.
     *
     * @param nanosLeft until the next check
     * @param mustGiveUp  whether it is to be given up
     * @param connectionAborter   breaks its connection; null when it is not to be broken
     */
    record TimeoutCheck(
            long nanosLeft, boolean mustGiveUp, @Nullable Runnable connectionAborter) {}
}
