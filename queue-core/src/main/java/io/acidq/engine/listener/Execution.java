package io.acidq.engine.listener;

import io.acidq.engine.guard.StartGuards.Permit;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a message, or of several in one transaction, on a worker's thread. It records the present call of the
 * handler, so that another thread can stop a call that exceeds its time limit. Thread-safe.
 */
final class Execution {

    /** A limit that no call reaches, and that can be added to another one. */
    static final long MAX_LIMIT = Long.MAX_VALUE / 4;

    /** How a call has been stopped so far. */
    private enum Stage {
        RUNNING(0),
        INTERRUPTED(1),
        ABORTED(2);

        /** The number of grace periods between the limit and the next stage. */
        private final int gracePeriods;

        Stage(int gracePeriods) {
            this.gracePeriods = gracePeriods;
        }
    }

    /** How the execution ended: finished by its worker, or given up by the {@link HandlerTimeoutEnforcer}. */
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
    private final Consumer<ClaimedMessage> startCheck;
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<EndState> endState = new AtomicReference<>(EndState.NONE);
    private List<ClaimedMessage> messagesInCall = List.of();
    private boolean wasCalled;
    private boolean commitBegan;
    private @Nullable Runnable connectionAborter;
    private long callStartNanos;
    private long nanosToExpiry;
    private boolean interruptedForCancel;
    private Stage stage = Stage.RUNNING;
    private List<ClaimedMessage> overdueMessages = List.of();

    /**
     * Creates an execution on the calling thread.
     *
     * @param permits    the permits that guards have given for messages, by claim
     * @param startNanos the present time of the monotonic clock
     * @param mayCall    whether no outage has begun since the claims were taken: after an outage the database may have
     *                   lost them
     * @param stopping   whether the engine interrupts handlers in order to stop
     * @param startCheck throws an exception for a message whose handler must not be called
     */
    Execution(
            List<ClaimedMessage> messages,
            Map<Claim, Permit> permits,
            long startNanos,
            BooleanSupplier mayCall,
            BooleanSupplier stopping,
            Consumer<ClaimedMessage> startCheck) {
        this.messages = messages;
        this.permits = permits;
        this.startNanos = startNanos;
        this.mayCall = mayCall;
        this.stopping = stopping;
        this.startCheck = startCheck;
    }

    List<ClaimedMessage> messages() {
        return messages;
    }

    /** Returns the permit through which the guards learn the result of a message. */
    Permit permit(ClaimedMessage message) {
        return permits.getOrDefault(message.claim(), Permit.UNGUARDED);
    }

    /** Releases the permits that have not received a result. */
    void releasePermits() {
        permits.values().forEach(Permit::close);
    }

    long startNanos() {
        return startNanos;
    }

    Thread thread() {
        return thread;
    }

    /** Records that a message begins in a transaction of its own, and that the handler is not yet called for it. */
    synchronized void beginAttempt() {
        wasCalled = false;
        overdueMessages = List.of();
        stage = Stage.RUNNING;
    }

    /**
     * Returns whether the handler may be called. Asked after the transaction has begun, which may have waited long for
     * its connection.
     */
    boolean mayCallHandler() {
        return mayCall.getAsBoolean();
    }

    /**
     * Checks that the handler may be called for a message: asked before the transaction begins, and again in it.
     *
     * @throws StartRules.NotStartedException when the message has expired, or an operator has asked to cancel it
     */
    void checkStart(ClaimedMessage message) {
        startCheck.accept(message);
    }

    /** Records that the work of a shared transaction is done, and that its COMMIT comes next. */
    synchronized void beginCommit() {
        commitBegan = true;
    }

    /**
     * Returns whether the shared transaction may have committed although it failed: the connection was lost while the answer of its COMMIT was
     * awaited.
     */
    synchronized boolean mayHaveCommitted(Throwable failure) {
        return commitBegan && DatabaseError.of(failure) == DatabaseError.CONNECTION;
    }

    /** Returns whether the handler was called since {@link #beginAttempt}. */
    synchronized boolean wasCalled() {
        return wasCalled;
    }

    /**
     * Records that the handler is called now.
     *
     * @param called  the messages of the call
     * @param aborter breaks the connection of the handler's transaction; null when there is no transaction
     */
    synchronized void beginCall(List<ClaimedMessage> called, @Nullable Runnable aborter, long now) {
        messagesInCall = called;
        wasCalled = true;
        connectionAborter = aborter;
        callStartNanos = now;
        nanosToExpiry = nanosToExpiry(called, now);
        stage = Stage.RUNNING;
        overdueMessages = List.of();
        if (stopping.getAsBoolean()) {
            thread.interrupt();
        }
    }

    private static long nanosToExpiry(List<ClaimedMessage> called, long now) {
        long least = MAX_LIMIT;
        for (ClaimedMessage message : called) {
            ClaimedMessage.TimeLeft left = message.timeLeft();
            if (left != null && left.at(now).toSeconds() < TimeUnit.NANOSECONDS.toSeconds(MAX_LIMIT)) {
                least = Math.min(least, left.at(now).toNanos());
            }
        }
        return least;
    }

    /** Records the end of the call, and clears an interrupt that was meant for it. */
    synchronized void endCall() {
        if (stage != Stage.RUNNING) {
            overdueMessages = messagesInCall;
        }
        if (isCutShort() || interruptedForCancel) {
            Thread.interrupted();
        }
        interruptedForCancel = false;
        messagesInCall = List.of();
        connectionAborter = null;
    }

    /**
     * Interrupts the thread because the engine stops, unless the call is over and its acknowledgement under way: on a
     * virtual thread an interrupt closes the connection, and an external handler would do its work again.
     */
    synchronized void interrupt() {
        if (!wasCalled || !messagesInCall.isEmpty()) {
            thread.interrupt();
        }
    }

    /**
     * Interrupts the call, once, if it is for one message that an operator has asked to cancel. A call for several messages goes on, because the others
     * would have to run again.
     */
    synchronized void interruptIfCancelled(NodeContext.CancelRequests requests) {
        if (!interruptedForCancel
                && messagesInCall.size() == 1
                && requests.contains(messagesInCall.get(0).uid())) {
            interruptedForCancel = true;
            thread.interrupt();
        }
    }

    /** Returns whether the engine interrupts handlers in order to stop: a failure is then not the message's fault. */
    boolean isStopping() {
        return stopping.getAsBoolean();
    }

    /** Returns whether the call was stopped at its time limit. */
    synchronized boolean hasTimedOut() {
        return stage != Stage.RUNNING;
    }

    /** Returns whether the engine has interrupted the handler, at the time limit or in order to stop. */
    boolean isCutShort() {
        return hasTimedOut() || isStopping();
    }

    /**
     * Returns the message whose call was stopped at its time limit. Null when none was stopped, or when the call was for
     * several messages: nothing shows which of them caused the delay.
     */
    synchronized @Nullable ClaimedMessage overdueMessage() {
        List<ClaimedMessage> stopped =
                stage == Stage.RUNNING ? List.of() : messagesInCall.isEmpty() ? overdueMessages : messagesInCall;
        return stopped.size() == 1 ? stopped.get(0) : null;
    }

    /**
     * Moves the call to the next stage if its time has come: interrupts the thread, or says what the caller has to do.
     *
     * @param timeout    how long the call may take
     * @param toDeadline whether the call must also end when the first of its messages expires
     */
    synchronized TimeoutCheck checkTimeout(long now, long timeout, boolean toDeadline, long grace) {
        long limit = toDeadline ? Math.min(timeout, nanosToExpiry) : timeout;
        if (messagesInCall.isEmpty()) {
            return new TimeoutCheck(timeout, false, null);
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

    /** Ends the execution as finished. Returns false when it was given up before. */
    boolean finish() {
        return endState.compareAndSet(EndState.NONE, EndState.FINISHED);
    }

    /** Ends the execution as given up. Returns false when its worker has finished it before. */
    boolean giveUp() {
        return endState.compareAndSet(EndState.NONE, EndState.GIVEN_UP);
    }

    /** Returns whether the execution was given up: no further message of it may start. */
    boolean isGivenUp() {
        return endState.get() == EndState.GIVEN_UP;
    }

    /**
     * The result of a check of the time limit.
     *
     * @param nanosLeft         the time until the next check
     * @param mustGiveUp        whether the caller has to give the execution up
     * @param connectionAborter breaks the connection of the call; null when the caller must not break it
     */
    record TimeoutCheck(
            long nanosLeft, boolean mustGiveUp, @Nullable Runnable connectionAborter) {}
}
