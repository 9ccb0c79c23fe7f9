package io.acidq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyTest {

    @ParameterizedTest
    @CsvSource({"4, 4, 4", "2-16, 2, 16", "' 2 - 16 ', 2, 16", "1000, 1000, 1000", "1-1, 1, 1"})
    void parsesANumberOrARange(String written, int min, int max) {
        assertThat(Concurrency.parse(written)).isEqualTo(Concurrency.between(min, max));
        assertThat(Concurrency.parse(Concurrency.parse(written).toString())).isEqualTo(Concurrency.parse(written));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "-3", "2-", "2-3-4", "2.5", "1e3", "99999999999"})
    void refusesOtherTexts(String written) {
        assertThatThrownBy(() -> Concurrency.parse(written))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("a range such as 2-16, was '" + written + "'");
    }

    @Test
    void refusesInvalidValues() {
        assertRefused(() -> Concurrency.fixed(0), "concurrency must be 1 to 1000 workers, was 0");
        assertRefused(() -> Concurrency.fixed(1001), "was 1001");
        assertRefused(() -> Concurrency.between(5, 4), "the minimum of concurrency must be 1 to the maximum, 4, was 5");
        assertRefused(
                () -> Concurrency.fixed(1).withIdleTimeout(Duration.ofMillis(99)),
                "idle timeout of workers must be 100 ms");
        assertRefused(
                () -> Concurrency.fixed(1).withMaxLifetime(Duration.ofMillis(999)),
                "maximum lifetime of workers must be 1 s");
    }

    private static void assertRefused(Runnable made, String words) {
        assertThatThrownBy(made::run).isInstanceOf(QueueMisuseException.class).hasMessageContaining(words);
    }
}
