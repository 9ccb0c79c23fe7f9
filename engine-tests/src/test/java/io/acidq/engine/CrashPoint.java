package io.acidq.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A point at which a process is stopped. Each has its own queue, so that one crash tests all points. */
enum CrashPoint {
    /** A caller has enqueued, and has not sent COMMIT. */
    ENQUEUE_OPEN(Sql.ENQUEUE, false),
    /** A caller's COMMIT has returned. */
    ENQUEUE_DONE(Sql.ENQUEUE, true),
    /** Messages are marked, their lane is locked, and COMMIT is not sent. */
    CLAIM_OPEN(Sql.CLAIM, false),
    /** The claim is committed, and no worker has received it. */
    CLAIM_DONE(Sql.CLAIM, true),
    /** The handler has written its effect and has not returned. */
    HANDLER(Sql.NONE, false),
    /** Effect and acknowledgement are executed, and COMMIT is not sent. */
    ACK_OPEN(Sql.ACK, false),
    /** Effect and acknowledgement are committed, and nothing else has been done. */
    ACK_DONE(Sql.ACK, true),
    /** As {@link #CLAIM_OPEN}, of a process that is frozen instead of killed. */
    FROZEN_CLAIM(Sql.CLAIM, false),
    /** As {@link #HANDLER}, of a process that is frozen instead of killed. */
    FROZEN_HANDLER(Sql.NONE, false);

    private final Pattern statement;
    private final boolean afterCommit;

    CrashPoint(Pattern mark, boolean afterCommit) {
        this.statement = mark;
        this.afterCommit = afterCommit;
    }

    String queue() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    boolean isOfEnqueuer() {
        return statement == Sql.ENQUEUE;
    }

    boolean isOfHandler() {
        return statement == Sql.NONE;
    }

    /** Whether it is reached by a COMMIT of these statements. */
    boolean isAt(List<String> statements, boolean committed) {
        return committed == afterCommit
                && statements.stream().anyMatch(s -> statement.matcher(s).find());
    }

    /** The one in whose queue's name a thread works: the engine names its threads after queues. */
    static Optional<CrashPoint> ofThisThread() {
        List<String> words = Arrays.asList(Thread.currentThread().getName().split("-", 0));
        return Arrays.stream(values()).filter(p -> words.contains(p.queue())).findFirst();
    }

    /** Statements that identify a kind of transaction. */
    private static final class Sql {
        static final Pattern ENQUEUE = Pattern.compile("INSERT INTO acidq_message\\b.*\\bVALUES\\b", Pattern.DOTALL);
        static final Pattern CLAIM =
                Pattern.compile("UPDATE acidq_message\\b.*\\bclaim_no = claim_no \\+ 1", Pattern.DOTALL);
        static final Pattern ACK = Pattern.compile("DELETE FROM acidq_message\\b.*\\bclaim_no = ", Pattern.DOTALL);
        static final Pattern NONE = Pattern.compile("(?!)");
    }
}
