package io.acidq.benchmarks.measure;

import java.util.BitSet;

/**
 * Calls the messages of a run one by one: each must be found once, as an effect or as one that is left. Were they only counted, a message that is lost would
 * be made up for by one that is doubled. Not thread-safe.
 */
public final class MessageAudit {

    private final long placed;
    private final BitSet found = new BitSet();
    private long effects;
    private long left;
    private long tooMany;

    /** For messages with the ids from 0 to below so many. */
    public MessageAudit(long placed) {
        this.placed = placed;
    }

    /** A row that a handler has committed. */
    public void effect(long id) {
        effects++;
        find(id);
    }

    /** A message that the candidate still has. */
    public void left(long id) {
        left++;
        find(id);
    }

    private void find(long id) {
        int bit = id >= 0 && id < placed ? Math.toIntExact(id) : -1;
        if (bit < 0 || found.get(bit)) {
            tooMany++; // a message that nobody has placed is one too many
        } else {
            found.set(bit);
        }
    }

    /** How many messages the candidate still has. */
    public long left() {
        return left;
    }

    public RunAudit audit(boolean finished) {
        return new RunAudit(placed, effects, left, placed - found.cardinality(), tooMany, finished);
    }

    /** Where each message has a row besides, written with it: what lacks either is lost. */
    public RunAudit auditWith(MessageAudit rows, boolean finished) {
        BitSet both = (BitSet) found.clone();
        both.and(rows.found);
        return new RunAudit(placed, effects, left, placed - both.cardinality(), tooMany + rows.tooMany, finished);
    }
}
