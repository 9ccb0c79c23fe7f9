package io.acidq.engine.loop;

import io.acidq.store.ServerStore.Commits;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether anything except the heartbeats of this node was committed on the server since a moment. The {@code WorkFinder} waits for commits and records
 * them here. While nothing was committed, a task need not read again what only a commit can change. The answer is a hint that is valid for ten seconds; after
 * that a task reads again. Thread-safe.
 *
 * <p>The tracker counts commits to distinguish heartbeats from other commits: when there are more commits than heartbeats that were begun, there was
 * another commit. The count is used only after the server has been seen to count a heartbeat, and not on a server that does not count all of them.
 */
public final class CommitTracker {

    /** How long an answer is valid. */
    static final Duration VALID_FOR = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    /** The position from which commits are counted; null while the work finder does not wait for commits. */
    private @Nullable Commits base;

    private long heartbeatsBegunAtBase;

    /** Whether the server has counted a heartbeat since the tracking began. */
    private boolean proven;

    /** Increases with each commit that is not a heartbeat, and whenever commits may have been missed. */
    private long generation = 1;

    private long heartbeatsBegun;
    private long heartbeatsCommitted;

    public CommitTracker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The moment at which a task began to read the database. */
    public record Moment(long generation, long nanos) {

        /** Earlier than every other moment. */
        public static final Moment NEVER = new Moment(0, 0);
    }

    /** Returns the current moment. A task calls this before it reads the database. */
    public synchronized Moment moment() {
        return isKnown() ? new Moment(generation, nanoTime.getAsLong()) : Moment.NEVER;
    }

    /** Returns whether what was read at that moment is still valid, except for what changes with time alone. */
    public synchronized boolean isUnchangedSince(Moment moment) {
        return isKnown()
                && moment.generation == generation
                && elapsedSince(moment).compareTo(VALID_FOR) < 0;
    }

    public Duration elapsedSince(Moment moment) {
        return Duration.ofNanos(nanoTime.getAsLong() - moment.nanos);
    }

    /** Returns whether commits are counted now, on a server that counts heartbeats. */
    public synchronized boolean isKnown() {
        return base != null && proven;
    }

    /** A heartbeat is about to be written. */
    public synchronized void heartbeatBegins() {
        heartbeatsBegun++;
    }

    /**
     * The heartbeat has ended.
     *
     * @param committed whether it was committed; false also when that is unknown
     */
    public synchronized void heartbeatEnds(boolean committed) {
        if (committed) {
            heartbeatsCommitted++;
        } else {
            heartbeatsBegun--;
            forget();
        }
    }

    /** Returns how many heartbeats are committed. The work finder calls this before it asks the server for its commits. */
    synchronized long heartbeatsCommitted() {
        return heartbeatsCommitted;
    }

    /**
     * Records the position of the server's last commit, from which the work finder waits for the next one.
     *
     * @param heartbeatsBefore the result of {@link #heartbeatsCommitted} before the server was asked
     */
    public synchronized void record(Commits now, long heartbeatsBefore) {
        if (base != null) {
            long own = now.last() - base.last();
            if (own < heartbeatsBefore - heartbeatsBegunAtBase) {
                forget(); // the server does not count the commits of this node, so its count cannot be used
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

    /** The work finder no longer waits for commits, or the outcome of a heartbeat is unknown. */
    public synchronized void forget() {
        base = null;
        proven = false;
        generation++;
    }
}
