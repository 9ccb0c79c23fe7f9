package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.TransientQueueException;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseMonitorTest {

    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(3);
    private static final Exception LOST = failure(2013);
    private static final Exception READ_ONLY = failure(1290);

    private final List<String> notifications = new ArrayList<>();
    private long now;
    private int heartbeatWakeUps;
    private int endsOfOutages;
    private int outages;
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void databaseChanged(DatabaseState state, @Nullable Throwable failure) {
            notifications.add(state.name());
        }

        @Override
        public void taskFailed(String task, Throwable failure) {
            notifications.add(task + " fails");
        }

        @Override
        public void taskRecovered(String task) {
            notifications.add(task + " works");
        }
    };
    private final DatabaseMonitor monitor = new DatabaseMonitor(HEARTBEAT_INTERVAL, () -> now, telemetry);

    @BeforeEach
    void start() {
        monitor.setWakeHeartbeat(() -> heartbeatWakeUps++);
        monitor.onOutage(() -> outages++);
        monitor.onEndOfOutage(() -> endsOfOutages++);
        monitor.reset(DatabaseState.UP);
        monitor.heartbeatWorked();
    }

    @Test
    void reportsAnOutageOnceAndItsEndOnce() {
        FailureTracker mover = monitor.trackFailures("due-message-mover");
        FailureTracker poller = monitor.trackFailures("poller");
        mover.recordFailure(LOST);
        poller.recordFailure(LOST);
        assertThat(heartbeatWakeUps)
                .as("each task wakes the heartbeat at its first failure")
                .isEqualTo(2);
        monitor.heartbeatFailed(LOST);
        mover.recordFailure(LOST);
        monitor.heartbeatFailed(LOST);
        assertThat(monitor.letsWork()).isFalse();
        assertThat(outages).isEqualTo(1);
        assertThat(monitor.health(7).lastError()).contains(LOST.toString());

        monitor.heartbeatWorked();
        mover.recordSuccess();
        poller.recordSuccess();
        monitor.heartbeatWorked();

        assertThat(notifications).containsExactly("DOWN", "UP");
        assertThat(endsOfOutages).isEqualTo(1);
        assertThat(monitor.letsWork()).isTrue();
    }

    @Test
    void reportsNothingWhenATaskLosesAConnectionAndTheHeartbeatSucceeds() {
        FailureTracker mover = monitor.trackFailures("due-message-mover");
        mover.recordFailure(LOST);
        monitor.heartbeatWorked();
        now += HEARTBEAT_INTERVAL.toNanos();
        mover.recordSuccess();
        monitor.heartbeatWorked();

        assertThat(notifications).isEmpty();
    }

    @Test
    void isImpairedWhenATaskFailsForLongerThanAHeartbeatInterval() {
        FailureTracker mover = monitor.trackFailures("due-message-mover");
        mover.recordFailure(LOST);
        now += HEARTBEAT_INTERVAL.toNanos();
        mover.recordFailure(LOST);
        monitor.heartbeatWorked();
        monitor.heartbeatWorked();
        assertThat(notifications).containsExactly("IMPAIRED");
        assertThat(monitor.letsWork()).as("tasks with a connection continue").isTrue();

        mover.recordSuccess();
        monitor.heartbeatWorked();
        assertThat(notifications)
                .as("a shortage of connections is not over at once")
                .containsExactly("IMPAIRED");
        now += Duration.ofSeconds(15).toNanos();
        monitor.heartbeatWorked();
        assertThat(notifications).containsExactly("IMPAIRED", "UP");
    }

    @Test
    void forgetsAFailureOfATaskThatDoesNotRunAgain() {
        FailureTracker worker = monitor.trackFailures("worker");
        worker.recordFailure(LOST);
        now += HEARTBEAT_INTERVAL.toNanos();
        worker.recordFailure(LOST);
        monitor.heartbeatWorked();
        now += Duration.ofMinutes(1).toNanos();
        monitor.heartbeatWorked();

        assertThat(notifications).containsExactly("IMPAIRED", "UP");
    }

    @Test
    void detectsAReadOnlyDatabase() {
        monitor.heartbeatFailed(READ_ONLY);
        assertThat(monitor.health(7).database()).isEqualTo(DatabaseState.READ_ONLY);
        assertThat(monitor.health(7).isWorking()).isFalse();
        monitor.heartbeatFailed(LOST);
        monitor.heartbeatWorked();

        assertThat(notifications).containsExactly("READ_ONLY", "DOWN", "UP");
    }

    @Test
    void ignoresFailuresThatTheDatabaseDidNotCause() {
        FailureTracker mover = monitor.trackFailures("due-message-mover");
        mover.recordFailure(new IllegalStateException("a bug"));
        mover.recordFailure(LOST);
        mover.recordSuccess();

        assertThat(notifications).containsExactly("due-message-mover fails", "due-message-mover works");
    }

    @Test
    void isNotSettledDuringAnOutageAndForSomeTimeAfterIt() {
        now += 6 * HEARTBEAT_INTERVAL.toNanos();
        assertThat(monitor.isSettled()).isTrue();
        monitor.heartbeatFailed(LOST);
        assertThat(monitor.isSettled()).isFalse();
        monitor.heartbeatWorked();
        assertThat(monitor.isSettled()).isFalse();
        now += DatabaseMonitor.SETTLING.toNanos();
        assertThat(monitor.isSettled()).isTrue();
    }

    /** An engine that started right after the server declared a node dead that had not reconnected yet. */
    @Test
    void isNotSettledRightAfterTheStartOfTheEngine() {
        assertThat(monitor.isSettled()).isFalse();
        now += DatabaseMonitor.SETTLING.toNanos() - 1;
        assertThat(monitor.isSettled()).isFalse();
        now++;
        assertThat(monitor.isSettled()).isTrue();
    }

    /** A heartbeat waited for a connection of its pool for 30 s while the server was down, and the engine reported itself as working. */
    @Test
    void reportsAHeartbeatThatIsBlocked() {
        now += Duration.ofSeconds(5).toNanos();
        monitor.checkHeartbeat();
        assertThat(notifications).isEmpty();
        now += Math.max(Duration.ofSeconds(5).toNanos(), 3 * HEARTBEAT_INTERVAL.toNanos());
        monitor.checkHeartbeat();
        monitor.checkHeartbeat();
        assertThat(notifications).containsExactly("DOWN");
        assertThat(monitor.health(1).isWorking()).isFalse();
        monitor.heartbeatWorked();
        assertThat(notifications).containsExactly("DOWN", "UP");
    }

    @Test
    void decidesByTasksInAnEngineWithoutAHeartbeat() {
        monitor.setWakeHeartbeat(null);
        FailureTracker cleaner = monitor.trackFailures("cleaner");
        cleaner.recordFailure(LOST);
        cleaner.recordFailure(LOST);
        cleaner.recordSuccess();

        assertThat(notifications).containsExactly("DOWN", "UP");
    }

    private static TransientQueueException failure(int code) {
        return new TransientQueueException("no", new SQLException("no", "08S01", code));
    }
}
