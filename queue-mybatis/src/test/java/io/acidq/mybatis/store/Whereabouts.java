package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

/**
 * Where one message is, and what is said of it there: as the database has it, or as it should be.
 *
 * @param place   its table
 * @param owner   who has claimed it
 * @param claimNo how often it was claimed
 * @param counts  attempts, deaths and committed effects
 * @param holds   whether a marker keeps its place while it is dead
 * @param paused  whether its queue is paused
 */
record Whereabouts(Place place, int owner, int claimNo, Counts counts, boolean holds, boolean paused) {

    enum Place {
        HOT,
        SCHEDULED,
        PARKED,
        DEAD,
        GONE
    }

    record Counts(int attempts, int deaths, int effects) {

        Counts plus(int attempt, int death) {
            return new Counts(attempts + attempt, deaths + death, effects);
        }
    }

    private static final String PLACES = """
            SELECT 'HOT', owner, claim_no, attempts, deaths, 0 FROM acidq_message WHERE queue = ? AND uid = ? AND kind = 0
            UNION ALL SELECT 'SCHEDULED', 0, claim_no, attempts, deaths, 0 FROM acidq_scheduled WHERE uid = ?
            UNION ALL SELECT 'PARKED', 0, claim_no, attempts, deaths, 0 FROM acidq_parked WHERE uid = ?
            UNION ALL SELECT 'DEAD', 0, claim_no, attempts, deaths, held_id FROM acidq_dead WHERE uid = ?""";

    /** What the database says now; the message must not be in two places. */
    static Whereabouts of(Scene scene, UUID uid) {
        byte[] id = Scene.bytes(uid);
        int queue = scene.queue.id();
        List<List<Object>> rows = scene.rows(PLACES, queue, id, id, id, id);
        assertThat(rows).as("places of one message").hasSizeLessThan(2);
        int effects = (int) scene.number("SELECT COUNT(*) FROM effect WHERE uid = ?", id);
        boolean paused = scene.number("SELECT paused FROM acidq_queue WHERE id = ?", queue) == 1;
        long marker = scene.number(
                "SELECT COALESCE(MAX(id), 0) FROM acidq_message WHERE queue = ? AND uid = ? AND kind <> 0", queue, id);
        List<Object> row = rows.isEmpty() ? List.of("GONE", 0, 0, 0, 0, 0) : rows.get(0);
        assertThat(marker).as("the marker stands where the letter says").isEqualTo(number(row, 5));
        return new Whereabouts(
                Place.valueOf((String) row.get(0)),
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
        return place == Place.HOT && owner == 0;
    }

    /** Whether nothing of its ordering key may start but itself. */
    boolean keepsItsPlace() {
        return place == Place.HOT || holds;
    }

    Whereabouts free(Counts then) {
        return new Whereabouts(Place.HOT, 0, claimNo, then, false, paused);
    }

    Whereabouts claimedBy(int node) {
        return new Whereabouts(Place.HOT, node, claimNo + 1, counts.plus(1, 0), false, paused);
    }

    Whereabouts scheduled() {
        return new Whereabouts(Place.SCHEDULED, 0, claimNo, counts, false, paused);
    }

    Whereabouts dead(boolean marked) {
        return new Whereabouts(Place.DEAD, 0, claimNo, counts, marked, paused);
    }

    Whereabouts gone(int moreEffects) {
        return new Whereabouts(Place.GONE, 0, 0, new Counts(0, 0, counts.effects + moreEffects), false, paused);
    }

    Whereabouts inPausedQueue() {
        return new Whereabouts(place, owner, claimNo, counts, holds, true);
    }
}
