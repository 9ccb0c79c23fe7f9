package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.InspectionStore.Counts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counting within bounds. */
@EachStore
class BacklogStoreIT extends StoreFixture {

    private static final Duration SLACK = Duration.ofMinutes(5);

    @Test
    void countsMessagesByState() {
        int id = queueFixture.queue.id();
        assertThat(store.inspection().count(id, 100)).isEqualTo(new Counts(0, 0, 0, 0, 0));
        new QueueFixture(database()).enqueue(0, null, "of another queue");
        queueFixture.enqueue(
                queueFixture.message(0, null, "a"),
                queueFixture.message(1, "k", "b"),
                queueFixture.message(2, null, "c"));
        queueFixture.enqueue(queueFixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        queueFixture.enqueue(
                queueFixture.message(3, null, "d"),
                queueFixture.message(3, null, "e"),
                queueFixture.message(4, null, "dead"));
        claims.retryIfClaimed(queueFixture.claimOne(1), QueueFixture.HOUR, List.of());
        queueFixture.claimOne(2);
        claims.deadLetterIfClaimed(queueFixture.claimOne(4).claim(), "broken", List.of());

        assertThat(store.inspection().count(id, 100)).isEqualTo(new Counts(3, 1, 1, 1, 1));
        assertThat(store.inspection().countUnclaimed(id, 100)).isEqualTo(4);
    }

    @Test
    void endsCountingAtTheLimit() {
        int id = queueFixture.queue.id();
        for (int i = 0; i < 5; i++) {
            queueFixture.enqueue(
                    queueFixture.message(i, null, "a"),
                    queueFixture.message(i, null, "later", new Due(QueueFixture.HOUR, null)));
        }
        assertThat(store.inspection().count(id, 3)).isEqualTo(new Counts(3, 0, 0, 3, 0));
        assertThat(store.inspection().countUnclaimed(id, 3)).isEqualTo(3);
    }

    @Test
    void countsNoMarkers() {
        queueFixture.enqueue(0, "k", "a");
        queueFixture.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ?", queueFixture.queue.id());
        assertThat(store.inspection().count(queueFixture.queue.id(), 10)).isEqualTo(new Counts(0, 0, 0, 0, 0));
        assertThat(store.inspection().countUnclaimed(queueFixture.queue.id(), 10))
                .isZero();
        assertThat(store.inspection().oldestUnclaimed(queueFixture.queue.id())).isNull();
    }

    /** A hot ordering key was set aside and seemed to be gone: no count rose, and no alarm. */
    @Test
    void countsWhatIsSetAsideAndTellsItsAgeByTheMarkerBeforeIt() {
        int id = queueFixture.queue.id();
        queueFixture.enqueue(
                queueFixture.message(0, "k", "a"),
                queueFixture.message(0, "k", "b"),
                queueFixture.message(0, "k", "c"));
        queueFixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                        + " type, headers, size, payload FROM acidq_message WHERE queue = ?",
                id);
        queueFixture.execute("UPDATE acidq_message SET kind = 2 WHERE queue = ?", id);
        assertThat(store.inspection().count(id, 10)).isEqualTo(new Counts(3, 0, 0, 0, 0));
        assertThat(store.inspection().countUnclaimed(id, 10)).isEqualTo(3);
        assertThat(store.inspection().countUnclaimed(id, 2)).isEqualTo(2);
        assertThat(store.inspection().oldestUnclaimed(id)).isNotNull();
    }

    @Test
    void tellsTheAgeOfTheOldestOfTheFirstUnclaimedMessages() {
        int id = queueFixture.queue.id();
        assertThat(store.inspection().oldestUnclaimed(id)).isNull();
        queueFixture.enqueue(0, null, "three hours old, and claimed");
        queueFixture.enqueue(0, null, "two hours old");
        queueFixture.enqueue(1, null, "new");
        age("three hours old, and claimed", 3);
        age("two hours old", 2);
        queueFixture.claimOne(0);
        assertThat(store.inspection().oldestUnclaimed(id))
                .isBetween(QueueFixture.HOUR.multipliedBy(2), twoHoursAndABit());
        queueFixture.claimOne(0);
        assertThat(store.inspection().oldestUnclaimed(id)).isBetween(Duration.ZERO, SLACK);
    }

    @Test
    void countsTheAgeOfARetryFromItsFirstDueTime() {
        queueFixture.enqueue(0, "k", "a");
        age("a", 2);
        ClaimedMessage a = queueFixture.claimOne(0);
        claims.retryIfClaimed(a, QueueFixture.HOUR, List.of());
        assertThat(store.inspection().oldestUnclaimed(queueFixture.queue.id()))
                .isBetween(QueueFixture.HOUR.multipliedBy(2), twoHoursAndABit());
    }

    @Test
    void tellsTheAgeOfWhatShouldHaveBeenMoved() {
        queueFixture.enqueue(queueFixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        assertThat(store.inspection().oldestUnclaimed(queueFixture.queue.id())).isNull();
        queueFixture.passTwoHours();
        assertThat(store.inspection().oldestUnclaimed(queueFixture.queue.id()))
                .isBetween(QueueFixture.HOUR.minus(SLACK), QueueFixture.HOUR.plus(SLACK));
    }

    private static Duration twoHoursAndABit() {
        return QueueFixture.HOUR.multipliedBy(2).plus(SLACK);
    }

    private void age(String text, int hours) {
        assertThat(queueFixture.execute(
                        "UPDATE acidq_message SET enqueued_at = TIMESTAMPADD(HOUR, ?, enqueued_at) WHERE queue = ? AND payload = ?",
                        -hours,
                        queueFixture.queue.id(),
                        text.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(1);
    }
}
