package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.examples.orders.Arguments.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {

    @Test
    void haveDefaults() {
        assertThat(Arguments.parse()).isEqualTo(new Arguments(Role.ALL, 1000, 4, 16, 0, 0.2, 0, 0, 0, false, 0));
    }

    @Test
    void areReadByName() {
        String line = "--role=producer --orders=7 --producers=2 --workers=3 --processes=4 --fail-rate=0.5 --poison=6"
                + " --handler-ms=8 --key-every=9 --dashboard --parent=10 --spring.datasource.url=jdbc:somewhere --debug";

        assertThat(Arguments.parse(line.split(" ")))
                .isEqualTo(new Arguments(Role.PRODUCER, 7, 2, 3, 4, 0.5, 6, 8, 9, true, 10));
    }

    @Test
    void giveProcessesToPoison() {
        Arguments poisoned = Arguments.parse("--poison=10");

        assertThat(poisoned.workerProcesses()).isEqualTo(2);
        assertThat(poisoned.shipsHere()).isFalse();
        assertThat(Arguments.parse("--poison=10", "--role=worker").shipsHere()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --role=boss     | --role cannot be boss
            --orders=1e3    | --orders cannot be 1e3
            --orders=-1     | --orders must be from 0 to 100000000
            --producers=0   | --producers must be from 1 to 100
            --fail-rate=2   | --fail-rate must be from 0 to 1
            --fail-rate=NaN | --fail-rate must be from 0 to 1
            --workers=      | --workers needs a value: --workers=...
            --workers       | --workers needs a value: --workers=...
            --ordres=5      | --ordres is not an option
            orders=5        | 'orders=5' is not an option
            """)
    void areRefused(String argument, String message) {
        assertThatThrownBy(() -> Arguments.parse(argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void areRefusedWithExitCodeTwoBeforeAnythingStarts() throws InterruptedException {
        assertThat(OrderServiceApplication.run("--producers=none")).isEqualTo(2);
        assertThat(OrderServiceApplication.run("--role=worker"))
                .as("without a database")
                .isEqualTo(2);
    }
}
