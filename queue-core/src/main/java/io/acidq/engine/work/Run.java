package io.acidq.engine.work;

import io.acidq.engine.guard.Passage;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final Thread thread = Thread.currentThread();
    private final AtomicBoolean settled = new AtomicBoolean();
    private @Nullable ClaimedMessage called;
    private @Nullable Runnable breaker;
    private long callBegan;
    private Stage stage = Stage.RUNNING;
    private @Nullable ClaimedMessage late;

    /**
     * A run on this thread.
     *
     * @param passages those of the messages that stood before a guard
     * @param began    now, by the monotonic clock
     */
    Run(List<ClaimedMessage> messages, Map<Claim, Passage> passages, long began) {
        this.messages = messages;
        this.passages = passages;
        this.began = began;
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

    /** The handler is called now: for this message, or for this and those behind it at once. */
    synchronized void callBegins(ClaimedMessage message, @Nullable Runnable breaksIt, long now) {
        called = message;
        breaker = breaksIt;
        callBegan = now;
        stage = Stage.RUNNING;
        late = null;
    }

    /** The call is over; what stopped it does not reach the code after it. */
    synchronized void callEnds() {
        if (stage != Stage.RUNNING) {
            late = called;
            Thread.interrupted();
        }
        called = null;
        breaker = null;
    }

    /** The message whose call was stopped at its limit; null when none was. */
    synchronized @Nullable ClaimedMessage late() {
        return stage == Stage.RUNNING ? null : called != null ? called : late;
    }

    /** Stops the call a step further when the time for that has come. */
    synchronized Overdue check(long now, long limit, long grace) {
        if (called == null) {
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
