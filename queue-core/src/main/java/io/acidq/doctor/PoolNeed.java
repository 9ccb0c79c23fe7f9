package io.acidq.doctor;

/**
 * What an engine takes from its connection pool: the formula of {@code docs/en/configuration.md}.
 *
 * @param workers   the most workers of all listeners together
 * @param listeners how many listeners there are, each with a poller
 */
public record PoolNeed(int workers, int listeners) {

    private static final int HEARTBEAT = 1;

    /** Duties at work. */
    private static final int DUTIES = 7;

    /** Connections that are kept ready. */
    private static final int KEPT = 4;

    /** With fewer not all workers can work. */
    public int least() {
        return workers + HEARTBEAT;
    }

    /** What workers, pollers and the heartbeat want at once. */
    public int atOnce() {
        return workers + listeners + HEARTBEAT;
    }

    /** With so many, and what the application needs by itself, nobody waits. */
    public int withoutWaits() {
        return atOnce() + DUTIES + KEPT;
    }
}
