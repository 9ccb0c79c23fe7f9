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

    /** More than the nanoseconds, for the longest also more than the milliseconds, that a long can count. */
    private static final Duration[] ENDLESS = {Duration.ofDays(300_000_000), Duration.ofSeconds(Long.MAX_VALUE)};

    private final EngineConfig defaults = EngineConfig.defaults();

    @Test
    void refusesDurationsThatOverflowLongAfterTheStart() {
        for (Duration endless : ENDLESS) {
            assertRefused(() -> defaults.withLiveness(endless, 6), "beat (acidq.beat) must be 50 ms to 1 hour");
            assertRefused(
                    () -> defaults.withPolling(endless, endless), "pollMin (acidq.poll-min) must be 1 ms to 1 day");
            assertRefused(
                    () -> defaults.withPolling(Duration.ofMillis(5), endless),
                    "pollMax (acidq.poll-max) must be pollMin (PT0.005S) to 1 day");
            assertRefused(
                    () -> defaults.withKeyWindow(endless), "keyWindow (acidq.key-window) must be 0 to 36500 days");
            assertRefused(
                    () -> defaults.withStopTimeout(endless), "stopTimeout (acidq.stop-timeout) must be 0 to 1 day");
        }
    }

    @Test
    void refusesWhatIsTooLittleByBothNamesOfTheSetting() {
        assertRefused(
                () -> defaults.withLiveness(Duration.ofSeconds(3), 2),
                "engine: silentBeats (acidq.silent-beats) must be at least 4, was 2");
        assertRefused(() -> defaults.withLiveness(Duration.ofMillis(49), 6), "beat (acidq.beat)");
        assertRefused(() -> defaults.withMaxDeaths(0), "maxDeaths (acidq.max-deaths) must be at least 1, was 0");
        assertRefused(() -> defaults.withPolling(Duration.ZERO, Duration.ofSeconds(1)), "pollMin (acidq.poll-min)");
        assertRefused(
                () -> defaults.withPolling(Duration.ofMillis(9), Duration.ofMillis(8)), "pollMax (acidq.poll-max)");
        assertRefused(() -> defaults.withKeyWindow(Duration.ofNanos(-1)), "keyWindow (acidq.key-window)");
        assertRefused(() -> defaults.withMaxPayloadBytes(0), "maxPayloadBytes (acidq.max-payload-size)");
        assertRefused(() -> defaults.withStopTimeout(Duration.ofNanos(-1)), "stopTimeout (acidq.stop-timeout)");
    }

    @Test
    void takesForAQueueWhatWasSetForItAndTheEnginesOtherwise() {
        QueueConfig own = QueueConfig.defaults().withKeyWindow(Duration.ofHours(1));
        EngineConfig config = defaults.withQueue("order.placed", own).withMaxDeaths(2);

        assertThat(config.queue("order.placed")).isEqualTo(own);
        assertThat(config.queue("another")).isEqualTo(QueueConfig.defaults());
        assertRefused(() -> defaults.withQueue("a`b", own), "a`b");
        assertRefused(
                () -> Listener.on("order.placed", String.class, (order, delivery) -> Outcome.done())
                        .withTransactionSize(0),
                "listener of queue 'order.placed': transactionSize must be 1 to 1000");
        assertRefused(() -> QueueConfig.defaults().withKeyWindow(Duration.ofDays(36_501)), "keyWindow must be 0 to");
        assertRefused(() -> QueueConfig.defaults().withBacklogAlarm(0), "backlogAlarm must be 1 to 1,000,000");
        assertRefused(() -> QueueConfig.defaults().withAgeAlarm(Duration.ofMillis(999)), "ageAlarm must be 1 s to");
    }

    @Test
    void hasSettingsForQueuesThatHaveNoneOfTheirOwn() {
        QueueConfig own = QueueConfig.defaults().withBacklogAlarm(5);
        QueueConfig all = QueueConfig.defaults().withKeyWindow(Duration.ofDays(1));
        EngineConfig config =
                defaults.withQueue("own", own).withQueueDefaults(all).withMaxDeaths(2);

        assertThat(config.queue("own")).isEqualTo(own);
        assertThat(config.queue("another")).isEqualTo(all);
        assertThat(config.withDefaultsFor(List.of("own", "served")).queues())
                .isEqualTo(Map.of("own", own, "served", all));
        assertThat(defaults.withDefaultsFor(List.of("served"))).isSameAs(defaults);
    }

    @Test
    void takesTheBoundsThemselves() {
        Duration day = Duration.ofDays(1);
        EngineConfig widest = defaults.withLiveness(Duration.ofHours(1), 4)
                .withPolling(day, day)
                .withKeyWindow(Duration.ofDays(36_500))
                .withMaxPayloadBytes(Integer.MAX_VALUE)
                .withStopTimeout(day);

        assertThat(widest.pollMin()).isEqualTo(widest.pollMax());
    }

    private static void assertRefused(ThrowingCallable change, String words) {
        assertThatThrownBy(change).isInstanceOf(QueueMisuseException.class).hasMessageContaining(words);
    }
}
