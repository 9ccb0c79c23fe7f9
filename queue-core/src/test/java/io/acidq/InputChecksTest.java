package io.acidq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputChecksTest {

    @ParameterizedTest
    @ValueSource(strings = {"billing", "b", "billing.payment-received_2", "0"})
    void acceptsConsumersNamedLikeQueues(String name) {
        assertThatCode(() -> InputChecks.checkConsumer(name)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "-x", "a`b", "größe", "a'; DROP TABLE x"})
    void refusesOtherConsumersAndNamesTheRule(String name) {
        assertThatThrownBy(() -> InputChecks.checkConsumer(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("consumer name '" + name + "'", "1 to 100 letters");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "half a pair \ud800"})
    void refusesInvalidKeysAndNamesTheConsumer(String key) {
        assertThatThrownBy(() -> InputChecks.checkInboxKey("billing", key))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("consumer 'billing'");
    }

    @Test
    void countsTheBytesOfAKey() {
        assertThat(InputChecks.checkInboxKey("billing", "é".repeat(127))).hasSize(127);
        assertThatThrownBy(() -> InputChecks.checkInboxKey("billing", "é".repeat(128)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("256");
    }

    @Test
    void acceptsWindowsOfASecondToACentury() {
        assertThat(InputChecks.checkInboxRetention(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(InputChecks.checkInboxRetention(Duration.ofDays(36_500))).isPositive();
        assertThatThrownBy(() -> InputChecks.checkInboxRetention(Duration.ofMillis(999)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("PT0.999S");
        assertThatThrownBy(() ->
                        InputChecks.checkInboxRetention(Duration.ofDays(36_500).plusNanos(1)))
                .isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void refusesAResultOfADuplicate() {
        assertThat(InboxResult.ran(null).ran()).isTrue();
        assertThat(InboxResult.duplicate(Instant.EPOCH).isDuplicate()).isTrue();
        assertThatThrownBy(() -> new InboxResult<>("result", Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
