package io.acidq;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnqueueOptionsTest {

    @Test
    void refusesAPriorityWithAnOrderingKey() {
        assertThatThrownBy(() -> options().orderingKey("customer-7").priority(Priority.HIGH))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("priority is HIGH", "customer-7", "omit the ordering key");
        assertThatThrownBy(() -> options().priority(Priority.LOW).orderingKey("k"))
                .isInstanceOf(MessageRejectedException.class);
        assertThat(options().orderingKey("k").priority(Priority.NORMAL).priority())
                .isEqualTo(Priority.NORMAL);
    }

    @Test
    void keepsOptionsThatWereSetBefore() {
        EnqueueOptions all = options()
                .key("k")
                .orderingKey("o")
                .delay(Duration.ofSeconds(1))
                .header("a", "1")
                .header("b", "2");
        assertThat(all)
                .isEqualTo(new EnqueueOptions(
                        "k",
                        "o",
                        Duration.ofSeconds(1),
                        null,
                        Map.of("a", "1", "b", "2"),
                        null,
                        null,
                        null,
                        null,
                        null));
    }

    @Test
    void addsHeadersAndReplacesThoseOfTheSameName() {
        EnqueueOptions all = options().header("a", "1").header("b", "2").headers(Map.of("b", "3", "c", "4"));
        assertThat(all.headers()).isEqualTo(Map.of("a", "1", "b", "3", "c", "4"));
        assertThatThrownBy(() -> options().headers(Map.of("a", "\ud800")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("header 'a'");
    }

    @Test
    void refusesAnExpiryThatIsAmbiguousOrBeforeTheDueTime() {
        Instant at = Instant.parse("2030-01-01T00:00:00Z");
        assertThatThrownBy(() -> options().expiresAfter(Duration.ZERO))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessage("expiresAfter must be 1 ms to 1000 years, was PT0S");
        assertThatThrownBy(() -> options().expiresAfter(Duration.ofDays(1)).expiresAt(at))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("give one of them");
        assertThatThrownBy(() -> options().at(at).expiresAt(at))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("would expire at 2030-01-01T00:00:00Z, before it is due at 2030-01-01T00:00:00Z");
        assertThatThrownBy(() -> options().expiresAt(Instant.MAX))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("between 1970-01-01 and 9999-01-01");
        assertThatCode(() -> options().at(at).expiresAt(at.plusNanos(1_000)).header("a", "1"))
                .doesNotThrowAnyException();
    }

    @Test
    void countsKeysInBytesOfUtf8() {
        assertThatCode(() -> options().key("é".repeat(127) + "e")).doesNotThrowAnyException();
        assertThatThrownBy(() -> options().key("é".repeat(128)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("key")
                .hasMessageContaining("256");
        assertThatThrownBy(() -> options().orderingKey(""))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("ordering key");
    }

    @Test
    void refusesKeysThatAreNotValidUnicode() {
        assertThatThrownBy(() -> options().key("\ud800"))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> options().orderingKey("a\udc01")).isInstanceOf(MessageRejectedException.class);
        assertThatThrownBy(() -> Outcome.retryAfter(Duration.ofDays(366), "later"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("365 days");
    }

    @Test
    void refusesHeadersThatAreNullOrNotValidUnicode() {
        assertThatThrownBy(() -> options().header("a", null))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("header 'a'");
        assertThatThrownBy(() -> options().header("a", "\ud800"))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("header 'a'");
    }

    @Test
    void refusesInvalidDueTimes() {
        assertThatThrownBy(() -> options().delay(Duration.ofSeconds(-1))).isInstanceOf(MessageRejectedException.class);
        assertThatThrownBy(() -> options().delay(Duration.ofDays(400_000)))
                .isInstanceOf(MessageRejectedException.class);
        assertThatThrownBy(() -> options().at(Instant.MAX)).isInstanceOf(MessageRejectedException.class);
        assertThatThrownBy(() -> options().at(Instant.EPOCH).delay(Duration.ZERO))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("give one of them");
    }
}
