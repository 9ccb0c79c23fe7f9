package io.acidq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EngineConfigTest {

    /** Durations whose nanoseconds, for the second also the milliseconds, do not fit into a long. */
    private static final Duration[] TOO_LONG = {Duration.ofDays(300_000_000), Duration.ofSeconds(Long.MAX_VALUE)};

    private final EngineConfig defaults = EngineConfig.defaults();

    @Test
    void refusesDurationsThatOverflow() {
        for (Duration tooLong : TOO_LONG) {
            assertRefused(
                    () -> defaults.withHeartbeat(tooLong, 6),
                    "heartbeatInterval (acidq.heartbeat-interval) must be 50 ms to 1 hour");
            assertRefused(
                    () -> defaults.withPolling(tooLong, tooLong),
                    "pollMinInterval (acidq.poll.min-interval) must be 1 ms to 1 day");
            assertRefused(
                    () -> defaults.withPolling(Duration.ofMillis(5), tooLong),
                    "pollMaxInterval (acidq.poll.max-interval) must be pollMinInterval (PT0.005S) to 1 day");
            assertRefused(
                    () -> defaults.withDeduplicationWindow(tooLong),
                    "deduplicationWindow (acidq.deduplication-window) must be 0 to 36500 days");
            assertRefused(
                    () -> defaults.withStopTimeout(tooLong), "stopTimeout (acidq.stop-timeout) must be 0 to 1 day");
        }
    }

    @Test
    void refusesValuesThatAreTooSmallAndNamesSettingAndProperty() {
        assertRefused(
                () -> defaults.withHeartbeat(Duration.ofSeconds(3), 2),
                "engine: missedHeartbeatsLimit (acidq.missed-heartbeats-limit) must be at least 4, was 2");
        assertRefused(
                () -> defaults.withHeartbeat(Duration.ofMillis(49), 6), "heartbeatInterval (acidq.heartbeat-interval)");
        assertRefused(() -> defaults.withMaxCrashes(0), "maxCrashes (acidq.max-crashes) must be at least 1, was 0");
        assertRefused(
                () -> defaults.withPolling(Duration.ZERO, Duration.ofSeconds(1)),
                "pollMinInterval (acidq.poll.min-interval)");
        assertRefused(
                () -> defaults.withPolling(Duration.ofMillis(9), Duration.ofMillis(8)),
                "pollMaxInterval (acidq.poll.max-interval)");
        assertRefused(
                () -> defaults.withDeduplicationWindow(Duration.ofNanos(-1)),
                "deduplicationWindow (acidq.deduplication-window)");
        assertRefused(() -> defaults.withMaxPayloadBytes(0), "maxPayloadBytes (acidq.max-payload-size)");
        assertRefused(() -> defaults.withStopTimeout(Duration.ofNanos(-1)), "stopTimeout (acidq.stop-timeout)");
    }

    @Test
    void usesTheSettingsOfAQueueBeforeTheDefaults() {
        QueueConfig own = QueueConfig.defaults().withDeduplicationWindow(Duration.ofHours(1));
        EngineConfig config = defaults.withQueue("order.placed", own).withMaxCrashes(2);

        assertThat(config.queue("order.placed")).isEqualTo(own);
        assertThat(config.queue("another")).isEqualTo(QueueConfig.defaults());
        assertRefused(() -> defaults.withQueue("a`b", own), "a`b");
        assertRefused(
                () -> Listener.on("order.placed", String.class, (order, delivery) -> Outcome.done())
                        .withTransactionSize(0),
                "listener of queue 'order.placed': transactionSize must be 1 to 1000");
        assertRefused(
                () -> QueueConfig.defaults().withDeduplicationWindow(Duration.ofDays(36_501)),
                "deduplicationWindow must be 0 to");
        assertRefused(() -> QueueConfig.defaults().withBacklogAlarm(0), "alarm.backlog must be 1 to 1,000,000");
        assertRefused(() -> QueueConfig.defaults().withAgeAlarm(Duration.ofMillis(999)), "alarm.age must be 1 s to");
    }

    @Test
    void usesTheQueueDefaultsForOtherQueues() {
        QueueConfig own = QueueConfig.defaults().withBacklogAlarm(5);
        QueueConfig all = QueueConfig.defaults().withDeduplicationWindow(Duration.ofDays(1));
        EngineConfig config =
                defaults.withQueue("own", own).withQueueDefaults(all).withMaxCrashes(2);

        assertThat(config.queue("own")).isEqualTo(own);
        assertThat(config.queue("another")).isEqualTo(all);
        assertThat(config.withDefaultsFor(List.of("own", "served")).queues())
                .isEqualTo(Map.of("own", own, "served", all));
        assertThat(defaults.withDefaultsFor(List.of("served"))).isSameAs(defaults);
    }

    @Test
    void acceptsTheBounds() {
        Duration day = Duration.ofDays(1);
        EngineConfig widest = defaults.withHeartbeat(Duration.ofHours(1), 4)
                .withPolling(day, day)
                .withDeduplicationWindow(Duration.ofDays(36_500))
                .withMaxPayloadBytes(Integer.MAX_VALUE)
                .withStopTimeout(day);

        assertThat(widest.pollMinInterval()).isEqualTo(widest.pollMaxInterval());
    }

    private static void assertRefused(ThrowingCallable change, String words) {
        assertThatThrownBy(change).isInstanceOf(QueueMisuseException.class).hasMessageContaining(words);
    }
}
