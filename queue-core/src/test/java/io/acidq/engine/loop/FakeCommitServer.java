package io.acidq.engine.loop;

import io.acidq.store.ServerStore.Commits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A server, seen by a node, on which someone else commits when a test says so. */
public final class FakeCommitServer {

    private final AtomicLong now = new AtomicLong();

    /** What the node knows of it. */
    public final CommitTracker commitTracker = new CommitTracker(now::get);

    private long commits = 10;

    /** No one but the node's heartbeat has committed anything of late. */
    public void begin() {
        see();
        commitTracker.heartbeatBegins();
        commits++;
        commitTracker.heartbeatEnds(true);
        see();
    }

    /** Someone else commits something, and the node hears of it. */
    public void end() {
        commits++;
        see();
    }

    public Commits commits() {
        return new Commits(commits, commits);
    }

    public void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void see() {
        commitTracker.record(commits(), commitTracker.heartbeatsCommitted());
    }
}
