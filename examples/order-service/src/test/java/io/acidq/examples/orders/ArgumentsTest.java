package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {

    @Test
    void haveDefaults() {
        assertThat(Arguments.parse())
                .isEqualTo(new Arguments(
                        Role.ALL,
                        new Placing(1000, 4, 0),
                        new WorkerSettings(16, 0),
                        new SimulatedFailures(0, 0, 0),
                        0));
    }

    @Test
    void areReadByName() {
        Arguments arguments = Arguments.parse(
                "--role=producer",
                "--orders=7",
                "--producers=2",
                "--workers=3",
                "--processes=4",
                "--fail-rate=0.5",
                "--poison=6",
                "--handler-ms=8",
                "--key-every=9",
                "--spring.datasource.url=jdbc:somewhere");

        assertThat(arguments)
                .isEqualTo(new Arguments(
                        Role.PRODUCER,
                        new Placing(7, 2, 9),
                        new WorkerSettings(3, 4),
                        new SimulatedFailures(0.5, 6, 8),
                        0));
    }

    @Test
    void giveProcessesToPoison() {
        Arguments poisoned = Arguments.parse("--poison=10");

        assertThat(poisoned.workerSettings().processes()).isEqualTo(2);
        assertThat(poisoned.shipsHere()).isFalse();
        assertThat(Arguments.parse("--poison=10", "--role=worker").shipsHere()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --role=boss           | --role=boss is not allowed: give one of all, producer, worker, report
            --orders=-1           | --orders=-1 is not allowed: give a whole number from 0 to 100000000
            --orders=1e3          | --orders=1e3 is not allowed: give a whole number from 0 to 100000000
            --producers=0         | --producers=0 is not allowed: give a whole number from 1 to 100
            --workers=            | --workers= is not allowed: give a whole number from 1 to 1000
            --fail-rate=2         | --fail-rate=2 is not allowed: give a number from 0 to 1, such as 0.2
            --fail-rate=NaN       | --fail-rate=NaN is not allowed: give a number from 0 to 1, such as 0.2
            --workers             | --workers needs one value, --workers=...; it has 0
            --ordres=5            | --ordres is no argument; allowed are --fail-rate,
            orders=5              | 'orders=5' is no argument; allowed are --fail-rate,
            --poison=2 --processes=0 | --processes=0 is not allowed: give a whole number from 1 to 100
            """)
    void areRefusedWithWhatIsAllowed(String line, String message) {
        assertThatThrownBy(() -> Arguments.parse(line.split(" ")))
                .isInstanceOf(BadArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void areRefusedBeforeAnythingStarts() throws InterruptedException {
        assertThat(OrderServiceApplication.run("--producers=none")).isEqualTo(2);
        assertThat(OrderServiceApplication.run("--role=worker"))
                .as("without a database")
                .isEqualTo(2);
    }
}
