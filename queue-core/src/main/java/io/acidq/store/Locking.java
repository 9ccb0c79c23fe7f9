package io.acidq.store;

/** How a server locks rows, found by a test; claims depend on it. */
public enum Locking {
    /** It locks, skips what is locked, and READ COMMITTED sees what was committed. */
    SKIPS("locks rows and skips locked ones"),
    /** It accepts SKIP LOCKED, and waits all the same. */
    WAITS("accepts SKIP LOCKED, but waits for locked rows instead of skipping them"),
    /** It does not know SKIP LOCKED; FOR UPDATE alone locks. */
    UNKNOWN("does not know SKIP LOCKED"),
    /** It accepts FOR UPDATE, and locks nothing. */
    LOCKS_NOTHING("accepts FOR UPDATE, but locks nothing"),
    /** A transaction at READ COMMITTED does not see what another has committed since its first read. */
    READS_OLD("does not show at READ COMMITTED what was committed since the first read of the transaction");

    private final String description;

    Locking(String words) {
        this.description = words;
    }

    /** Whether claims by lanes are quick and keep order. */
    public boolean isSound() {
        return this == SKIPS;
    }

    /** Whether claims by lanes at least keep order: a lane's lock holds, though others wait for it. */
    public boolean locksRows() {
        return this == SKIPS || this == WAITS || this == UNKNOWN;
    }

    /** What the server does, in words that follow its name. */
    public String description() {
        return description;
    }
}
