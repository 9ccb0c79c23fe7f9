package io.acidq.engine.loop;

import io.acidq.store.ServerStore.Commits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A server as a node sees it. A test decides when there are commits other than heartbeats. */
public final class FakeCommitServer {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // System.nanoTime() may overflow

    public final LongSupplier nanoTime = now::get;

    /** The tracker of the node. */
    public final CommitTracker commitTracker = new CommitTracker(now::get);

    private long last = 40;
    private long count = 140;

    /** Commits a heartbeat, so that the tracker knows the commits. */
    public void begin() {
        see();
        heartbeat();
        see();
    }

    /** Commits something other than a heartbeat, and lets the tracker see it. */
    public void end() {
        commit();
        see();
    }

    void heartbeat() {
        commitTracker.heartbeatBegins();
        commit();
        commitTracker.heartbeatEnds(true);
    }

    void commit() {
        last++;
        count++;
    }

    void commitNumberedByAnotherServer() {
        count++;
    }

    void see() {
        commitTracker.record(commits(), commitTracker.heartbeatsCommitted());
    }

    public Commits commits() {
        return new Commits(last, count);
    }

    public void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
