package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EachStore
class MoveDueStoreIT extends StoreFixture {

    static final Instant DUE = Instant.parse("2024-05-05T05:05:05Z");

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        scene.execute("DELETE FROM acidq_scheduled");
    }

    @Test
    void movesWhatIsDueToTheTailOfItsLaneByDueTime() {
        scene.enqueue(0, "k", "there before");
        scene.enqueue(due("late", 2), due("early", 1), due("latest", 3));
        scene.enqueue(scene.message(9, null, "other lane", new Due(null, DUE)));

        Moved moved = store.maintenance().moveDue();

        assertThat(moved.lanes()).containsExactlyInAnyOrder(lane(0), lane(9));
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("there before", "early", "late", "latest");
        assertThat(scene.count("acidq_scheduled")).isZero();
        assertThat(moved.nextDue()).isNull();
    }

    @Test
    void keepsTheOrderOfEqualDueTimes() {
        scene.enqueue(due("1", 0), due("2", 0), due("3", 0));
        store.maintenance().moveDue();

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("1", "2", "3");
    }

    @Test
    void leavesWhatIsNotYetDueAndSaysWhenItIs() {
        scene.enqueue(scene.message(0, null, "a", new Due(Duration.ofMinutes(30), null)));

        Moved moved = store.maintenance().moveDue();
        assertThat(moved.lanes()).isEmpty();
        assertThat(moved.nextDue()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
    }

    @Test
    void movesInPiecesAndSaysThatMoreIsDue() {
        scene.enqueue(IntStream.range(0, 700).mapToObj(i -> due("m" + i, i)).toArray(MessageRow[]::new));

        assertThat(store.maintenance().moveDue().nextDue()).isEqualTo(Duration.ZERO);
        assertThat(scene.count("acidq_message")).isEqualTo(500);
        assertThat(store.maintenance().moveDue().nextDue()).isNull();
        assertThat(scene.count("acidq_message")).isEqualTo(700);
    }

    @Test
    void keepsDueTimeAndEnqueueTime() {
        scene.enqueue(due("a", 0));
        store.maintenance().moveDue();

        var message = scene.claimOne(0);
        assertThat(message.dueAt()).isEqualTo(DUE);
        assertThat(message.enqueuedAt()).isAfter(DUE);
        assertThat(message.attempts()).isEqualTo(1);
    }

    MessageRow due(String text, int seconds) {
        return scene.message(0, "k", text, new Due(null, DUE.plusSeconds(seconds)));
    }

    Lane lane(int lane) {
        return new Lane(scene.queue.id(), lane);
    }

    List<String> hotTexts() {
        return Scene.texts(scene.claim(0, 100));
    }
}
