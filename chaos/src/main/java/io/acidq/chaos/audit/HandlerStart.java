package io.acidq.chaos.audit;

import io.acidq.chaos.audit.MessageHistory.Release;
import java.util.concurrent.TimeUnit;

/** A start of a handler, as its process has written it down. Times are of the machine's monotonic clock. Confined to the auditor's thread. */
final class HandlerStart {

    static final long NEVER = Long.MIN_VALUE;

    /** What runs is given up at its limit and two graces, which are seven seconds from the call; its line may come later than the call. */
    private static final long GIVEN_UP = TimeUnit.SECONDS.toNanos(4);

    final int process;
    final int node;
    final int claimNo;
    final int attempt;
    final int crashes;
    final long at;
    long endedAt = NEVER;

    /** Whether it threw, or swallowed that its transaction was lost. */
    boolean failed;

    HandlerStart(int process, int node, Counts counts, long at) {
        this.process = process;
        this.node = node;
        this.claimNo = counts.claimNo();
        this.attempt = counts.attempt();
        this.crashes = counts.crashes();
        this.at = at;
    }

    boolean isOf(int itsNode, int itsClaim) {
        return node == itsNode && claimNo == itsClaim;
    }

    /** Whether the other began, under a later claim and wherever, while this one ran. */
    boolean isOvertakenBy(HandlerStart other) {
        return claimNo < other.claimNo && isRunningAt(other.at);
    }

    /** Whether it had begun before and not returned by then. */
    boolean isRunningAt(long moment) {
        return at < moment && (endedAt == NEVER || moment < endedAt);
    }

    /**
     * Whether its process may have let go of it, as it said, before the other began. The line comes after the COMMIT, and so may come after
     * the other's start; but only what is given up is let go of while it runs.
     */
    boolean isReleasedBefore(HandlerStart other, Release release) {
        return release.process() == process
                && at < release.at()
                && (release.at() < other.at || other.at - at >= GIVEN_UP);
    }

    /** Whether its handler has said that it is done, with its transaction whole. */
    boolean isSuccessful() {
        return endedAt != NEVER && !failed;
    }

    /**
     * What a handler is told about its message.
     *
     * @param claimNo the claim
     * @param attempt the attempts, this one included
     * @param crashes  the crashes
     */
    record Counts(int claimNo, int attempt, int crashes) {}

    @Override
    public String toString() {
        return "start of claim " + claimNo + " by node " + node + " (process " + process + ") attempt=" + attempt
                + " crashes=" + crashes + " at=" + at + (endedAt == NEVER ? " returned never" : " returned=" + endedAt)
                + (failed ? " failed" : "");
    }
}
