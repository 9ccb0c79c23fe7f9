package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.InspectionStore.Counts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limited counts. */
@EachStore
class BacklogStoreIT extends StoreFixture {

    private static final Duration SLACK = Duration.ofMinutes(5);

    @Test
    void countsMessagesByState() {
        int id = fixture.queueId;
        assertThat(inspection.count(id, 100)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));
        new QueueFixture(database()).enqueue(0, null, "of another queue");
        fixture.enqueue(fixture.message(0, null, "a"), fixture.message(1, "k", "b"), fixture.message(2, null, "c"));
        fixture.enqueue(fixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        fixture.enqueue(fixture.message(3, null, "d"), fixture.message(3, null, "e"), fixture.message(4, null, "dead"));
        claims.retryIfClaimed(fixture.claimOne(1), QueueFixture.HOUR, List.of());
        fixture.claimOne(2);
        claims.deadLetterIfClaimed(fixture.claimOne(4).claim(), "broken", List.of());

        assertThat(inspection.count(id, 100)).isEqualTo(new Counts(3, 1, 1, 1, 1, 0, 0));
        assertThat(inspection.countUnclaimed(id, 100)).isEqualTo(4);
    }

    @Test
    void endsCountingAtTheLimit() {
        int id = fixture.queueId;
        for (int i = 0; i < 5; i++) {
            fixture.enqueue(
                    fixture.message(i, null, "a"), fixture.message(i, null, "later", new Due(QueueFixture.HOUR, null)));
        }
        assertThat(inspection.count(id, 3)).isEqualTo(new Counts(3, 0, 0, 3, 0, 0, 0));
        assertThat(inspection.countUnclaimed(id, 3)).isEqualTo(3);
    }

    @Test
    void countsTheReadyMessagesOfEachPriority() {
        fixture.enqueue(fixture.message(0, null, "normal"), fixture.message(1001, null, "high"));
        fixture.enqueue(fixture.message(2000, null, "low"), fixture.message(2007, null, "low"));
        queues.openPriorityLanes(fixture.queue);
        fixture.claimOne(2000);
        assertThat(inspection.count(fixture.queueId, 10)).isEqualTo(new Counts(3, 1, 0, 0, 0, 1, 1));
    }

    @Test
    void countsNoMarkers() {
        fixture.enqueue(0, "k", "a");
        fixture.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ?", fixture.queueId);
        assertThat(inspection.count(fixture.queueId, 10)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));
        assertThat(inspection.countUnclaimed(fixture.queueId, 10)).isZero();
        assertThat(inspection.oldestUnclaimed(fixture.queueId)).isNull();
    }

    /** A bug: parked messages of a busy ordering key were not counted, so that no alarm was raised. */
    @Test
    void countsParkedMessagesAndReportsTheAgeOfTheirMarker() {
        int id = fixture.queueId;
        fixture.enqueueAll(0, "k", "a", "b", "c");
        fixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                        + " type, headers, size, payload FROM acidq_message WHERE queue = ?",
                id);
        fixture.execute("UPDATE acidq_message SET kind = 2 WHERE queue = ?", id);
        assertThat(inspection.count(id, 10)).isEqualTo(new Counts(3, 0, 0, 0, 0, 0, 0));
        assertThat(inspection.countUnclaimed(id, 10)).isEqualTo(3);
        assertThat(inspection.countUnclaimed(id, 2)).isEqualTo(2);
        assertThat(inspection.oldestUnclaimed(id)).isNotNull();
    }

    @Test
    void tellsTheAgeOfTheOldestOfTheFirstUnclaimedMessages() {
        int id = fixture.queueId;
        assertThat(inspection.oldestUnclaimed(id)).isNull();
        fixture.enqueue(0, null, "three hours old, and claimed");
        fixture.enqueue(0, null, "two hours old");
        fixture.enqueue(1, null, "new");
        age("three hours old, and claimed", 3);
        age("two hours old", 2);
        fixture.claimOne(0);
        assertThat(inspection.oldestUnclaimed(id)).isBetween(QueueFixture.HOUR.multipliedBy(2), twoHoursAndABit());
        fixture.claimOne(0);
        assertThat(inspection.oldestUnclaimed(id)).isBetween(Duration.ZERO, SLACK);
    }

    @Test
    void countsTheAgeOfARetryFromItsFirstDueTime() {
        fixture.enqueue(0, "k", "a");
        age("a", 2);
        ClaimedMessage a = fixture.claimOne(0);
        claims.retryIfClaimed(a, QueueFixture.HOUR, List.of());
        assertThat(inspection.oldestUnclaimed(fixture.queueId))
                .isBetween(QueueFixture.HOUR.multipliedBy(2), twoHoursAndABit());
    }

    @Test
    void countsAndAgesDueMessagesThatNobodyHasMovedIntoTheirLanes() {
        int id = fixture.queueId;
        fixture.enqueue(fixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        fixture.enqueue(fixture.message(0, null, "much later", new Due(QueueFixture.HOUR.multipliedBy(9), null)));
        assertThat(inspection.count(id, 10)).isEqualTo(new Counts(0, 0, 0, 2, 0, 0, 0));
        assertThat(inspection.countUnclaimed(id, 10)).isZero();
        assertThat(inspection.oldestUnclaimed(id)).isNull();
        assertThat(inspection.oldestToMove(id)).isNull();

        fixture.passTwoHours();
        assertThat(inspection.count(id, 10)).isEqualTo(new Counts(1, 0, 0, 1, 0, 0, 0));
        assertThat(inspection.countUnclaimed(id, 10)).isEqualTo(1);
        assertThat(List.of(inspection.oldestUnclaimed(id), inspection.oldestToMove(id)))
                .allSatisfy(age ->
                        assertThat(age).isBetween(QueueFixture.HOUR.minus(SLACK), QueueFixture.HOUR.plus(SLACK)));
    }

    private static Duration twoHoursAndABit() {
        return QueueFixture.HOUR.multipliedBy(2).plus(SLACK);
    }

    private void age(String text, int hours) {
        assertThat(fixture.execute(
                        "UPDATE acidq_message SET enqueued_at = TIMESTAMPADD(HOUR, ?, enqueued_at) WHERE queue = ? AND payload = ?",
                        -hours,
                        fixture.queueId,
                        text.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(1);
    }
}
