package io.acidq.benchmarks.measure;

import java.util.BitSet;

/**
 * Checks the messages of a run one by one: each must be found once, as an effect or as a remaining message. With counts alone, a duplicate would
 * hide a loss. Not thread-safe.
 */
public final class MessageAudit {

    private final long sent;
    private final BitSet found = new BitSet();
    private long effects;
    private long remaining;
    private long duplicates;

    /** Expects messages with ids from 0 to below {@code sent}. */
    public MessageAudit(long sent) {
        this.sent = sent;
    }

    /** Adds a row that a handler has committed. */
    public void addEffect(long id) {
        effects++;
        markFound(id);
    }

    /** Adds a message that the candidate still has. */
    public void addRemaining(long id) {
        remaining++;
        markFound(id);
    }

    private void markFound(long id) {
        int bit = id >= 0 && id < sent ? Math.toIntExact(id) : -1;
        if (bit < 0 || found.get(bit)) {
            duplicates++; // a message that was never sent is one too many
        } else {
            found.set(bit);
        }
    }

    /** The number of messages that the candidate still has. */
    public long remaining() {
        return remaining;
    }

    public RunAudit audit(boolean finished) {
        return new RunAudit(sent, effects, remaining, sent - found.cardinality(), duplicates, finished);
    }

    /** The audit of messages that each have a business row. A message that lacks either is lost. */
    public RunAudit auditWith(MessageAudit rows, boolean finished) {
        BitSet both = (BitSet) found.clone();
        both.and(rows.found);
        return new RunAudit(
                sent, effects, remaining, sent - both.cardinality(), duplicates + rows.duplicates, finished);
    }

    /**
     * The result for the messages of one run after its workers have stopped.
     *
     * @param sent       sent messages whose transaction committed
     * @param effects    rows that handlers committed
     * @param remaining  messages that the candidate still has
     * @param lost       messages that are neither done nor remaining
     * @param duplicates duplicate effects, duplicate messages, and messages that are both done and remaining
     * @param finished   whether all wanted messages were done
     */
    public record RunAudit(long sent, long effects, long remaining, long lost, long duplicates, boolean finished) {}
}
