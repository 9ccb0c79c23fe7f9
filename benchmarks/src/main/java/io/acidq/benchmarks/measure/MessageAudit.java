package io.acidq.benchmarks.measure;

import java.util.BitSet;

/**
 * Checks the messages of a run one by one: each must be found once, as an effect or as a remaining message. With counts alone, a duplicate would
 * hide a loss. Not thread-safe.
 */
public final class MessageAudit {

    private final long placed;
    private final BitSet found = new BitSet();
    private long effects;
    private long left;
    private long duplicates;

    /** Expects messages with ids from 0 to below {@code placed}. */
    public MessageAudit(long placed) {
        this.placed = placed;
    }

    /** Adds a row that a handler has committed. */
    public void effect(long id) {
        effects++;
        find(id);
    }

    /** Adds a message that the candidate still has. */
    public void left(long id) {
        left++;
        find(id);
    }

    private void find(long id) {
        int bit = id >= 0 && id < placed ? Math.toIntExact(id) : -1;
        if (bit < 0 || found.get(bit)) {
            duplicates++; // a message that was never sent is one too many
        } else {
            found.set(bit);
        }
    }

    /** The number of messages that the candidate still has. */
    public long left() {
        return left;
    }

    public RunAudit audit(boolean finished) {
        return new RunAudit(placed, effects, left, placed - found.cardinality(), duplicates, finished);
    }

    /** The audit of messages that each have a business row. A message that lacks either is lost. */
    public RunAudit auditWith(MessageAudit rows, boolean finished) {
        BitSet both = (BitSet) found.clone();
        both.and(rows.found);
        return new RunAudit(placed, effects, left, placed - both.cardinality(), duplicates + rows.duplicates, finished);
    }

    /**
     * The result for the messages of one run after its workers have stopped.
     *
     * @param placed   sent messages whose transaction committed
     * @param effects  rows that handlers committed
     * @param left     messages that the candidate still has
     * @param lost     messages that are neither done nor left
     * @param doubled  duplicate effects, duplicate messages, and messages that are both done and left
     * @param finished whether all wanted messages were done
     */
    public record RunAudit(long placed, long effects, long left, long lost, long doubled, boolean finished) {}
}
