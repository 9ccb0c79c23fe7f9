package io.acidq.engine.work;

import io.acidq.engine.guard.Passage;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one worker has taken up: a message, or several for one transaction. Knows which call of the handler is under way, so that one
 * that exceeds its limit can be stopped from outside. Thread-safe.
 */
final class Run implements AutoCloseable {

    /** How far a call has been stopped. */
    enum Stage {
        RUNNING(0),
        INTERRUPTED(1),
        ABORTED(2);

        /** How many graces after the limit the next step comes. */
        private final int graces;

        Stage(int graces) {
            this.graces = graces;
        }
    }

    private final List<ClaimedMessage> messages;
    private final Map<Claim, Passage> passages;
    private final long began;
    private final BooleanSupplier mayCall;
    private final BooleanSupplier interrupting;
    private final Thread thread = Thread.currentThread();
    private final AtomicBoolean settled = new AtomicBoolean();
    private List<ClaimedMessage> called = List.of();
    private boolean wasCalled;
    private @Nullable Runnable breaker;
    private long callBegan;
    private Stage stage = Stage.RUNNING;
    private List<ClaimedMessage> late = List.of();

    /**
     * A run on this thread.
     *
     * @param passages those of the messages that stood before a guard
     * @param began    now, by the monotonic clock
     * @param mayCall  whether no outage has begun since: where a transaction begins then, the claims may never have been made
     */
    Run(List<ClaimedMessage> messages, Map<Claim, Passage> passages, long began, BooleanSupplier mayCall) {
        this(messages, passages, began, mayCall, () -> false);
    }

    /**
     * The same in an engine that may stop.
     *
     * @param interrupting whether it interrupts handlers to stop
     */
    Run(
            List<ClaimedMessage> messages,
            Map<Claim, Passage> passages,
            long began,
            BooleanSupplier mayCall,
            BooleanSupplier interrupting) {
        this.messages = messages;
        this.passages = passages;
        this.began = began;
        this.mayCall = mayCall;
        this.interrupting = interrupting;
    }

    List<ClaimedMessage> messages() {
        return messages;
    }

    /** Hears how a message did. */
    Passage passage(ClaimedMessage message) {
        return passages.getOrDefault(message.claim(), Passage.FREE);
    }

    long began() {
        return began;
    }

    /** Gives back the permits of those messages whose passage was told nothing. */
    @Override
    public void close() {
        passages.values().forEach(Passage::close);
    }

    Thread thread() {
        return thread;
    }

    /** A message is taken up, alone: until {@link #callBegins} the handler is not called for it. */
    synchronized void takesUp() {
        wasCalled = false;
        late = List.of();
        stage = Stage.RUNNING;
    }

    /** Asked when the transaction has begun: it may have waited long for its connection. */
    boolean mayCall() {
        return mayCall.getAsBoolean();
    }

    /** Whether the handler was called since a message was taken up. */
    synchronized boolean wasCalled() {
        return wasCalled;
    }

    /** The handler is called now, for these messages at once. */
    synchronized void callBegins(List<ClaimedMessage> together, @Nullable Runnable breaksIt, long now) {
        called = together;
        wasCalled = true;
        breaker = breaksIt;
        callBegan = now;
        stage = Stage.RUNNING;
        late = List.of();
        if (interrupting.getAsBoolean()) {
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
     * The engine has begun to interrupt handlers. An acknowledgement under way is let through: on a virtual thread an interrupt would close its connection,
     * and what an external handler has done would be done again.
     */
    synchronized void interrupt() {
        if (!wasCalled || !called.isEmpty()) {
            thread.interrupt();
        }
    }

    /** Whether a call was stopped at its limit. */
    synchronized boolean wasStopped() {
        return stage != Stage.RUNNING;
    }

    /** Whether what a handler throws now may be because the engine cut it short: at its limit, or to stop. */
    boolean isCutShort() {
        return wasStopped() || interrupting.getAsBoolean();
    }

    /** The message whose call was stopped at its limit; null when none was, or several were handled in that call: any of them may be to blame. */
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

    /** Whether somebody has ended it: seen by its own thread, the run was given up, and nothing more of it may start. */
    boolean isSettled() {
        return settled.get();
    }

    /** True once: for whoever ends the run, its worker or the timekeeper that gives it up. */
    boolean settle() {
        return settled.compareAndSet(false, true);
    }

    /**
     * What to do about a call.
     *
     * @param nanosLeft until the next look
     * @param hopeless  whether it is to be given up
     * @param toBreak   breaks its connection; null when it is not to be broken
     */
    record Overdue(
            long nanosLeft, boolean hopeless, @Nullable Runnable toBreak) {}
}
