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
        int id = scene.queue.id();
        assertThat(store.inspection().count(id, 100)).isEqualTo(new Counts(0, 0, 0, 0, 0));
        new Scene(home()).enqueue(0, null, "of another queue");
        scene.enqueue(scene.message(0, null, "a"), scene.message(1, "k", "b"), scene.message(2, null, "c"));
        scene.enqueue(scene.message(0, null, "later", new Due(Scene.HOUR, null)));
        scene.enqueue(scene.message(3, null, "d"), scene.message(3, null, "e"), scene.message(4, null, "dead"));
        claims.retryIfClaimed(scene.claimOne(1), Scene.HOUR, List.of());
        scene.claimOne(2);
        claims.deadIfClaimed(scene.claimOne(4).claim(), "broken", List.of());

        assertThat(store.inspection().count(id, 100)).isEqualTo(new Counts(3, 1, 1, 1, 1));
        assertThat(store.inspection().countUnclaimed(id, 100)).isEqualTo(4);
    }

    @Test
    void endsCountingAtTheLimit() {
        int id = scene.queue.id();
        for (int i = 0; i < 5; i++) {
            scene.enqueue(scene.message(i, null, "a"), scene.message(i, null, "later", new Due(Scene.HOUR, null)));
        }
        assertThat(store.inspection().count(id, 3)).isEqualTo(new Counts(3, 0, 0, 3, 0));
        assertThat(store.inspection().countUnclaimed(id, 3)).isEqualTo(3);
    }

    @Test
    void countsNoMarkers() {
        scene.enqueue(0, "k", "a");
        scene.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ?", scene.queue.id());
        assertThat(store.inspection().count(scene.queue.id(), 10)).isEqualTo(new Counts(0, 0, 0, 0, 0));
        assertThat(store.inspection().countUnclaimed(scene.queue.id(), 10)).isZero();
        assertThat(store.inspection().oldestUnclaimed(scene.queue.id())).isNull();
    }

    /** A hot ordering key was set aside and seemed to be gone: no count rose, and no alarm. */
    @Test
    void countsWhatIsSetAsideAndTellsItsAgeByTheMarkerBeforeIt() {
        int id = scene.queue.id();
        scene.enqueue(scene.message(0, "k", "a"), scene.message(0, "k", "b"), scene.message(0, "k", "c"));
        scene.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, deaths, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                        + " type, headers, size, payload FROM acidq_message WHERE queue = ?",
                id);
        scene.execute("UPDATE acidq_message SET kind = 2 WHERE queue = ?", id);
        assertThat(store.inspection().count(id, 10)).isEqualTo(new Counts(3, 0, 0, 0, 0));
        assertThat(store.inspection().countUnclaimed(id, 10)).isEqualTo(3);
        assertThat(store.inspection().countUnclaimed(id, 2)).isEqualTo(2);
        assertThat(store.inspection().oldestUnclaimed(id)).isNotNull();
    }

    @Test
    void tellsTheAgeOfTheOldestOfTheFirstUnclaimedMessages() {
        int id = scene.queue.id();
        assertThat(store.inspection().oldestUnclaimed(id)).isNull();
        scene.enqueue(0, null, "three hours old, and claimed");
        scene.enqueue(0, null, "two hours old");
        scene.enqueue(1, null, "new");
        age("three hours old, and claimed", 3);
        age("two hours old", 2);
        scene.claimOne(0);
        assertThat(store.inspection().oldestUnclaimed(id)).isBetween(Scene.HOUR.multipliedBy(2), twoHoursAndABit());
        scene.claimOne(0);
        assertThat(store.inspection().oldestUnclaimed(id)).isBetween(Duration.ZERO, SLACK);
    }

    @Test
    void countsTheAgeOfARetryFromItsFirstDueTime() {
        scene.enqueue(0, "k", "a");
        age("a", 2);
        ClaimedMessage a = scene.claimOne(0);
        claims.retryIfClaimed(a, Scene.HOUR, List.of());
        assertThat(store.inspection().oldestUnclaimed(scene.queue.id()))
                .isBetween(Scene.HOUR.multipliedBy(2), twoHoursAndABit());
    }

    @Test
    void tellsTheAgeOfWhatShouldHaveBeenMoved() {
        scene.enqueue(scene.message(0, null, "later", new Due(Scene.HOUR, null)));
        assertThat(store.inspection().oldestUnclaimed(scene.queue.id())).isNull();
        scene.passTwoHours();
        assertThat(store.inspection().oldestUnclaimed(scene.queue.id()))
                .isBetween(Scene.HOUR.minus(SLACK), Scene.HOUR.plus(SLACK));
    }

    private static Duration twoHoursAndABit() {
        return Scene.HOUR.multipliedBy(2).plus(SLACK);
    }

    private void age(String text, int hours) {
        assertThat(scene.execute(
                        "UPDATE acidq_message SET enqueued_at = TIMESTAMPADD(HOUR, ?, enqueued_at) WHERE queue = ? AND payload = ?",
                        -hours,
                        scene.queue.id(),
                        text.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(1);
    }
}
