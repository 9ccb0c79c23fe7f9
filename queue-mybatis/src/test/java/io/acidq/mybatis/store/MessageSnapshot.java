package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

/**
 * The table and the state of one message, actual or expected.
 *
 * @param location   its table
 * @param owner   the node that has claimed it
 * @param claimNo how often it was claimed
 * @param counts  attempts, crashes and committed effects
 * @param holds   whether a marker keeps its place while it is dead
 * @param paused  whether its queue is paused
 */
record MessageSnapshot(Location location, int owner, int claimNo, Counts counts, boolean holds, boolean paused) {

    enum Location {
        HOT,
        SCHEDULED,
        PARKED,
        DEAD,
        GONE
    }

    record Counts(int attempts, int crashes, int effects) {

        Counts plus(int attempt, int crash) {
            return new Counts(attempts + attempt, crashes + crash, effects);
        }
    }

    private static final String PLACES = """
            SELECT 'HOT', owner, claim_no, attempts, crashes, 0 FROM acidq_message WHERE queue = ? AND uid = ? AND kind = 0
            UNION ALL SELECT 'SCHEDULED', 0, claim_no, attempts, crashes, 0 FROM acidq_scheduled WHERE uid = ?
            UNION ALL SELECT 'PARKED', 0, claim_no, attempts, crashes, 0 FROM acidq_parked WHERE uid = ?
            UNION ALL SELECT 'DEAD', 0, claim_no, attempts, crashes, held_id FROM acidq_dead WHERE uid = ?""";

    /** Reads the message, which must not be in two tables. */
    static MessageSnapshot of(QueueFixture fixture, UUID uid) {
        byte[] id = QueueFixture.bytes(uid);
        int queue = fixture.queueId;
        List<List<Object>> rows = fixture.rows(PLACES, queue, id, id, id, id);
        assertThat(rows).as("places of one message").hasSizeLessThan(2);
        int effects = (int) fixture.number("SELECT COUNT(*) FROM effect WHERE uid = ?", id);
        boolean paused = fixture.number("SELECT paused FROM acidq_queue WHERE id = ?", queue) == 1;
        long marker = fixture.number(
                "SELECT COALESCE(MAX(id), 0) FROM acidq_message WHERE queue = ? AND uid = ? AND kind <> 0", queue, id);
        List<Object> row = rows.isEmpty() ? List.of("GONE", 0, 0, 0, 0, 0) : rows.get(0);
        assertThat(marker).as("the marker stands where the letter says").isEqualTo(number(row, 5));
        return new MessageSnapshot(
                Location.valueOf((String) row.get(0)),
                (int) number(row, 1),
                (int) number(row, 2),
                new Counts((int) number(row, 3), (int) number(row, 4), effects),
                marker != 0,
                paused);
    }

    private static long number(List<Object> row, int column) {
        return ((Number) row.get(column)).longValue();
    }

    boolean isFree() {
        return location == Location.HOT && owner == 0;
    }

    /** Whether no other message of its ordering key may start. */
    boolean keepsItsPlace() {
        return location == Location.HOT || holds;
    }

    MessageSnapshot free(Counts then) {
        return new MessageSnapshot(Location.HOT, 0, claimNo, then, false, paused);
    }

    MessageSnapshot claimedBy(int node) {
        return new MessageSnapshot(Location.HOT, node, claimNo + 1, counts.plus(1, 0), false, paused);
    }

    MessageSnapshot scheduled() {
        return new MessageSnapshot(Location.SCHEDULED, 0, claimNo, counts, false, paused);
    }

    MessageSnapshot dead(boolean marked) {
        return new MessageSnapshot(Location.DEAD, 0, claimNo, counts, marked, paused);
    }

    MessageSnapshot gone(int moreEffects) {
        return new MessageSnapshot(Location.GONE, 0, 0, new Counts(0, 0, counts.effects + moreEffects), false, paused);
    }

    MessageSnapshot inPausedQueue() {
        return new MessageSnapshot(location, owner, claimNo, counts, holds, true);
    }
}
