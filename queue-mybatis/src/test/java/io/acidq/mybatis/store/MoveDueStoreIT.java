package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore.Moved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EachStore
class MoveDueStoreIT extends StoreFixture {

    static final Instant DUE = Instant.parse("2024-05-05T05:05:05Z");

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        fixture.execute("DELETE FROM acidq_scheduled");
    }

    @Test
    void movesWhatIsDueToTheTailOfItsLaneByDueTime() {
        fixture.enqueue(0, "k", "there before");
        fixture.enqueue(due("late", 2), due("early", 1), due("latest", 3));
        fixture.enqueue(fixture.message(9, null, "other lane", new Due(null, DUE)));

        Moved moved = maintenance.moveDue();

        assertThat(moved.lanes()).containsExactlyInAnyOrder(lane(0), lane(9));
        assertThat(fixture.claimTexts(0, 10)).containsExactly("there before", "early", "late", "latest");
        assertThat(fixture.count("acidq_scheduled")).isZero();
        assertThat(moved.nextDue()).isNull();
    }

    @Test
    void keepsTheOrderOfEqualDueTimes() {
        fixture.enqueue(due("1", 0), due("2", 0), due("3", 0));
        maintenance.moveDue();

        assertThat(fixture.claimTexts(0, 10)).containsExactly("1", "2", "3");
    }

    @Test
    void leavesWhatIsNotYetDueAndSaysWhenItIs() {
        fixture.enqueue(fixture.message(0, null, "a", new Due(Duration.ofMinutes(30), null)));

        Moved moved = maintenance.moveDue();
        assertThat(moved.lanes()).isEmpty();
        assertThat(moved.nextDue()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
    }

    @Test
    void movesInPiecesAndSaysThatMoreIsDue() {
        fixture.enqueue(700, i -> due("m" + i, i));

        assertThat(maintenance.moveDue().nextDue()).isEqualTo(Duration.ZERO);
        assertThat(fixture.count("acidq_message")).isEqualTo(500);
        assertThat(maintenance.moveDue().nextDue()).isNull();
        assertThat(fixture.count("acidq_message")).isEqualTo(700);
    }

    @Test
    void keepsDueTimeAndEnqueueTime() {
        fixture.enqueue(due("a", 0));
        maintenance.moveDue();

        var message = fixture.claimOne(0);
        assertThat(message.dueAt()).isEqualTo(DUE);
        assertThat(message.enqueuedAt()).isAfter(DUE);
        assertThat(message.attempts()).isEqualTo(1);
    }

    MessageRow due(String text, int seconds) {
        return fixture.message(0, "k", text, new Due(null, DUE.plusSeconds(seconds)));
    }

    Lane lane(int lane) {
        return new Lane(fixture.queueId, lane);
    }

    List<String> hotTexts() {
        return fixture.claimTexts(0, 100);
    }
}
