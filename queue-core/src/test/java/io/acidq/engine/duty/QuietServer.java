package io.acidq.engine.duty;

import io.acidq.store.CommitStore.Commits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A server, seen by a node, on which somebody commits when a test says so. */
public final class QuietServer {

    private final AtomicLong now = new AtomicLong();

    /** What the node knows of it. */
    public final Stillness stillness = new Stillness(now::get);

    private long commits = 10;

    /** Nobody but the node's heart has committed anything of late. */
    public void begin() {
        see();
        stillness.beatBegins();
        commits++;
        stillness.beatEnds(true);
        see();
    }

    /** Somebody else commits something, and the node hears of it. */
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
        stillness.saw(commits(), stillness.beaten());
    }
}
