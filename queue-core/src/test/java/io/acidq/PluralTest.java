package io.acidq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts with numbers. */
class PluralTest {

    @ParameterizedTest
    @CsvSource({
        "0, dead letter, 0 dead letters",
        "1, dead letter, 1 dead letter",
        "2, crash, 2 crashes",
        "9, process, 9 processes"
    })
    void usesThePluralUnlessTheNumberIsOne(long number, String noun, String text) {
        assertThat(Plural.of(number, noun)).isEqualTo(text);
    }
}
