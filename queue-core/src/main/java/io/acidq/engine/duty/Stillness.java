package io.acidq.engine.duty;

import io.acidq.store.CommitStore.Commits;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether nobody but this node's heart has committed anything on the server since a moment, as far as the lookout knows, which waits for commits.
 * While that is so a duty need not ask for what only a commit can change. It is a hint, good for ten seconds: whoever goes by it
 * asks again after them. Thread-safe.
 *
 * <p>The beats are told from the commits of others by counting: more commits than beats have begun, and somebody else has committed. It is not gone by
 * before the server has been seen to count a beat, nor where it does not count all of them.
 */
public final class Stillness {

    /** How long a moment is good for, whatever is known since. */
    static final Duration GOOD_FOR = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    /** When the commits began that are counted; null while the lookout does not wait for any. */
    private @Nullable Commits base;

    private long begunAtBase;

    /** Whether the server has counted a beat since it was first asked. */
    private boolean proven;

    /** A new one begins with every commit of somebody else, and where knowledge has a gap. */
    private long era = 1;

    private long begun;
    private long beaten;

    public Stillness(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** When a duty has begun to ask. */
    public record Moment(long era, long nanos) {

        /** Before anything is known. */
        public static final Moment NEVER = new Moment(0, 0);
    }

    /** Now; to be asked for before the database is. */
    public synchronized Moment moment() {
        return isKnown() ? new Moment(era, nanoTime.getAsLong()) : Moment.NEVER;
    }

    /** Whether what was asked at that moment is still so, unless it was to change by itself. */
    public synchronized boolean lastsSince(Moment moment) {
        return isKnown() && moment.era == era && since(moment).compareTo(GOOD_FOR) < 0;
    }

    /** The time since then. */
    public Duration since(Moment moment) {
        return Duration.ofNanos(nanoTime.getAsLong() - moment.nanos);
    }

    /** Whether commits are counted at present, and the server can be relied on for it. */
    public synchronized boolean isKnown() {
        return base != null && proven;
    }

    /** The heart is about to beat. */
    public synchronized void beatBegins() {
        begun++;
    }

    /** The heart has beaten with one commit; or nobody knows what it has done. */
    public synchronized void beatEnds(boolean committed) {
        if (committed) {
            beaten++;
        } else {
            begun--;
            forget();
        }
    }

    /** How many beats have been committed; to be asked for before the server is asked for its commits. */
    public synchronized long beaten() {
        return beaten;
    }

    /**
     * The server has told how far its commits are, and from there on the next ones are waited for.
     *
     * @param beatenBefore what {@link #beaten} said before the server was asked
     */
    public synchronized void saw(Commits now, long beatenBefore) {
        if (base != null) {
            long own = now.last() - base.last();
            if (own < beatenBefore - begunAtBase) {
                forget(); // it does not number our commits, so who knows whose
            } else if (now.count() >= base.count() && now.count() - base.count() <= begun - begunAtBase) {
                proven |= own > 0;
                return;
            }
        }
        base = now;
        begunAtBase = begun;
        era++;
    }

    /** Commits are not waited for any more, or it is not known what became of a beat. */
    public synchronized void forget() {
        base = null;
        proven = false;
        era++;
    }
}
