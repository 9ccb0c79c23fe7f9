package io.acidq.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.loop.FakeCommitServer;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.PortStub;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PauseTrackerTest {

    private static final QueueRow ONE = new QueueRow(1, "one", 64);
    private static final QueueRow TWO = new QueueRow(2, "two", 64);

    private final List<String> notifications = new ArrayList<>();
    private final WakeUps wakeUps = new WakeUps();
    private final PauseTracker pauses = new PauseTracker(wakeUps, new Telemetry() {
        @Override
        public void paused(String queue) {
            notifications.add("paused " + queue);
        }

        @Override
        public void resumed(String queue) {
            notifications.add("resumed " + queue);
        }
    });

    private final FakeCommitServer server = new FakeCommitServer();
    private final PauseTracker.PauseReader pauseReader =
            pauses.reader(List.of(ONE), queues(), server.commitTracker, found -> {});
    private Set<Integer> paused = Set.of();
    private int reads;

    @Test
    void reportsEachChangeOnceAndWakesThePoller() {
        WakeUps.PollerSignal signal = wakeUps.pollerSignal(2);
        pauses.applyReading(List.of(ONE, TWO), Set.of(2), pauses.actions());
        pauses.applyReading(List.of(ONE, TWO), Set.of(2), pauses.actions());
        assertThat(notifications).containsExactly("paused two");
        assertThat(pauses.isPaused(2)).isTrue();
        assertThat(signal.takeAllLanes()).isTrue();
        pauses.applyReading(List.of(ONE, TWO), Set.of(), pauses.actions());
        assertThat(notifications).containsExactly("paused two", "resumed two");
    }

    @Test
    void ignoresAReadThatBeganBeforeAChangeThroughThisEngine() {
        long before = pauses.actions();
        pauses.actionDone(ONE, true);
        pauses.applyReading(List.of(ONE), Set.of(), before);
        assertThat(pauses.isPaused(1)).isTrue();
        pauses.applyReading(List.of(ONE), Set.of(), pauses.actions());
        assertThat(pauses.isPaused(1)).isFalse();
        assertThat(notifications).containsExactly("paused one", "resumed one");
    }

    /** The commit of the operator is visible before the engine of the operator knows of it. */
    @Test
    void reportsAChangeOnceThatAReadSawFirst() {
        pauses.actionBegins();
        pauses.applyReading(List.of(ONE), Set.of(1), pauses.actions());
        pauses.actionDone(ONE, true);
        assertThat(notifications).containsExactly("paused one");
        pauses.actionBegins();
        pauses.actionDone(ONE, true); // another engine has resumed it in between, which no read has seen
        assertThat(notifications).containsExactly("paused one", "paused one");
    }

    @Test
    void reportsAResumeAlthoughItDidNotKnowOfThePause() {
        pauses.actionDone(ONE, false);
        assertThat(notifications).containsExactly("resumed one");
    }

    @Test
    void readsOnceASecondWhileCommitsAreNotKnown() {
        assertThat(pauseReader.runOnce()).isEqualTo(Duration.ofSeconds(1));
        assertThat(pauseReader.runOnce()).isEqualTo(Duration.ofSeconds(1));
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsOnceInTenSecondsWhileNothingIsCommitted() {
        server.begin();
        for (int second = 0; second < 10; second++) {
            assertThat(pauseReader.runOnce()).isEqualTo(Duration.ofSeconds(1));
            server.pass(Duration.ofSeconds(1));
        }
        assertThat(reads).isEqualTo(1);
        pauseReader.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void seesAtTheNextRunThatAnotherEngineHasPausedAQueue() {
        server.begin();
        pauseReader.runOnce();
        paused = Set.of(1);
        server.end();
        pauseReader.runOnce();
        assertThat(pauses.isPaused(1)).isTrue();
    }

    private QueueStore queues() {
        return PortStub.of(QueueStore.class, Map.of("readQueues", args -> {
            reads++;
            return List.of(new StoredQueue(1, "one", paused.contains(1), 0, 0, 0, 0));
        }));
    }
}
