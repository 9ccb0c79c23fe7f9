package io.acidq.engine.loop;

import io.acidq.store.ServerStore.Commits;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether anyone but this node's heartbeat has committed something on the server since a moment, as far as the {@code WorkFinder} knows, which
 * waits for commits. While there was no such commit, a task need not ask for what only a commit can change. The answer is a hint, good for ten
 * seconds: after them a task asks again. Thread-safe.
 *
 * <p>Counting tells the commits of heartbeats from those of others: when there are more commits than heartbeats that have begun, someone else has
 * committed. The count is not used before the server has been seen to count a heartbeat, nor where it does not count all of them.
 */
public final class CommitTracker {

    /** How long an answer is good for, whatever is known since. */
    static final Duration VALID_FOR = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    /** From where on commits are counted; null while the work finder does not wait for any. */
    private @Nullable Commits base;

    private long heartbeatsBegunAtBase;

    /** Whether the server has counted a heartbeat since it was first asked. */
    private boolean proven;

    /** A new one begins with every commit of someone else, and where knowledge has a gap. */
    private long generation = 1;

    private long heartbeatsBegun;
    private long heartbeatsCommitted;

    public CommitTracker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** When a task has begun to ask the database. */
    public record Moment(long generation, long nanos) {

        /** Before anything is known. */
        public static final Moment NEVER = new Moment(0, 0);
    }

    /** Now. A task takes it before it asks the database. */
    public synchronized Moment moment() {
        return isKnown() ? new Moment(generation, nanoTime.getAsLong()) : Moment.NEVER;
    }

    /** Whether the answer of that moment still holds, unless it was to change with time alone. */
    public synchronized boolean isUnchangedSince(Moment moment) {
        return isKnown()
                && moment.generation == generation
                && elapsedSince(moment).compareTo(VALID_FOR) < 0;
    }

    public Duration elapsedSince(Moment moment) {
        return Duration.ofNanos(nanoTime.getAsLong() - moment.nanos);
    }

    /** Whether commits are counted at present, and the server can be relied on for it. */
    public synchronized boolean isKnown() {
        return base != null && proven;
    }

    /** A heartbeat is about to be written. */
    public synchronized void heartbeatBegins() {
        heartbeatsBegun++;
    }

    /**
     * The heartbeat is over.
     *
     * @param committed whether it was one commit; false also when its outcome is unknown
     */
    public synchronized void heartbeatEnds(boolean committed) {
        if (committed) {
            heartbeatsCommitted++;
        } else {
            heartbeatsBegun--;
            forget();
        }
    }

    /** How many heartbeats are committed. The work finder asks this before it asks the server for its commits. */
    public synchronized long heartbeatsCommitted() {
        return heartbeatsCommitted;
    }

    /**
     * The server has said how far its commits are, and the next ones are waited for from there on.
     *
     * @param heartbeatsBefore what {@link #heartbeatsCommitted} said before the server was asked
     */
    public synchronized void record(Commits now, long heartbeatsBefore) {
        if (base != null) {
            long own = now.last() - base.last();
            if (own < heartbeatsBefore - heartbeatsBegunAtBase) {
                forget(); // the server does not number this node's commits, so the numbers say nothing
            } else if (now.count() >= base.count()
                    && now.count() - base.count() <= heartbeatsBegun - heartbeatsBegunAtBase) {
                proven |= own > 0;
                return;
            }
        }
        base = now;
        heartbeatsBegunAtBase = heartbeatsBegun;
        generation++;
    }

    /** Commits are not waited for any more, or the outcome of a heartbeat is unknown. */
    public synchronized void forget() {
        base = null;
        proven = false;
        generation++;
    }
}
