package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.FakeCommitServer;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.PortStub;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DueMessageMoverTest {

    private static final Duration A_WHILE = Duration.ofMillis(400);

    private final FakeCommitServer server = new FakeCommitServer();
    private final MaintenanceStore store = PortStub.of(MaintenanceStore.class, Map.of("moveDue", args -> move()));
    private final DueMessageMover mover =
            new DueMessageMover(store, EngineConfig.defaults(), new WakeUps(), server.commitTracker, server.nanoTime);
    private @Nullable Duration nextDue;
    private @Nullable String obstacle;
    private List<Lane> moved = List.of();
    private boolean broken;
    private int reads;

    @Test
    void readsTheScheduleEachTimeWhileCommitsAreNotKnown() {
        mover.runOnce();
        mover.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsTheScheduleOnceInTenSecondsWhileNothingIsCommitted() {
        server.begin();
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(500));
        server.pass(Duration.ofMillis(9_900));
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(500));
        assertThat(reads).isEqualTo(1);
        server.pass(Duration.ofMillis(100));
        mover.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsTheScheduleWhenTheFirstMessageIsDue() {
        server.begin();
        nextDue = A_WHILE;
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(250));
        server.pass(Duration.ofMillis(250));
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(150));
        assertThat(reads).isEqualTo(1);
        server.pass(Duration.ofMillis(150));
        nextDue = Duration.ZERO; // there is more
        assertThat(mover.runOnce()).isZero();
        assertThat(mover.runOnce()).isZero();
        assertThat(reads).isEqualTo(3);
    }

    @Test
    void readsTheScheduleAfterAnotherCommit() {
        server.begin();
        mover.runOnce();
        server.end();
        nextDue = A_WHILE;
        mover.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsTheScheduleWhenAMessageWasScheduledInThisProcess() {
        server.begin();
        mover.runOnce();
        mover.messageScheduled();
        mover.runOnce();
        mover.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsTheScheduleAgainAfterAFailure() {
        server.begin();
        mover.runOnce();
        mover.messageScheduled();
        broken = true;
        assertThatThrownBy(mover::runOnce).hasMessage("broken");
        broken = false;
        mover.runOnce();
        assertThat(reads).isEqualTo(3);
    }

    /** A bug: it tried again every 20 ms for ever, without a word. */
    @Test
    void failsWhenAnObstacleLastsAndTriesLessAndLessOftenUntilThen() {
        obstacle = "a trigger";
        nextDue = Duration.ofMillis(20);
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(20));
        server.pass(Duration.ofMillis(400));
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(100));
        server.pass(Duration.ofMillis(4_599));
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(250));
        server.pass(Duration.ofMillis(1));
        assertThatThrownBy(mover::runOnce).hasMessage("a trigger");
        obstacle = null;
        assertThat(mover.runOnce()).isEqualTo(Duration.ofMillis(20));
        obstacle = "another lock";
        assertThat(mover.runOnce()).as("the time counts anew").isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void doesNotWaitForAnObstacleOfOneQueueWhileItMovesMessagesOfOthers() {
        obstacle = "a lock";
        nextDue = Duration.ZERO;
        moved = List.of(new Lane(1, 2));
        mover.runOnce();
        server.pass(Duration.ofMinutes(1));
        assertThat(mover.runOnce()).isZero();
    }

    private Moved move() {
        reads++;
        if (broken) {
            throw new IllegalStateException("broken");
        }
        return new Moved(moved, nextDue, obstacle);
    }
}
