package io.acidq.chaos.audit;

/** A start of a handler, as its process has written it down. Times are of the machine's monotonic clock. Confined to the auditor's thread. */
final class Start {

    static final long NEVER = Long.MIN_VALUE;

    final int process;
    final int node;
    final int claimNo;
    final int attempt;
    final int deaths;
    final long at;
    long endedAt = NEVER;

    Start(int process, int node, Counts counts, long at) {
        this.process = process;
        this.node = node;
        this.claimNo = counts.claimNo();
        this.attempt = counts.attempt();
        this.deaths = counts.deaths();
        this.at = at;
    }

    boolean isOf(int itsNode, int itsClaim) {
        return node == itsNode && claimNo == itsClaim;
    }

    /** Whether the other began, under a later claim and in another node, while this one ran. */
    boolean isOvertakenBy(Start other) {
        return node != other.node && claimNo < other.claimNo && isRunningAt(other.at);
    }

    /** Whether it had begun before and not returned by then. */
    boolean isRunningAt(long moment) {
        return at < moment && (endedAt == NEVER || moment < endedAt);
    }

    /**
     * What a handler is told about its message.
     *
     * @param claimNo the claim
     * @param attempt the attempts, this one included
     * @param deaths  the deaths
     */
    record Counts(int claimNo, int attempt, int deaths) {}

    @Override
    public String toString() {
        return "start of claim " + claimNo + " by node " + node + " (process " + process + ") attempt=" + attempt
                + " deaths=" + deaths + " at=" + at + (endedAt == NEVER ? " returned never" : " returned=" + endedAt);
    }
}
