package io.acidq.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoggingTelemetryTest {

    private static final class Textless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    @Test
    void logsAnExceptionAsItIs() {
        RuntimeException failure = new RuntimeException("why", new IllegalStateException("cause"));

        assertThat(LoggingTelemetry.printable(failure)).isSameAs(failure);
    }

    /** The logger would throw, and the stack trace that the log then has would not be that of the handler. */
    @Test
    void logsAnExceptionWhoseTextThrowsByItsClassAndStackTrace() {
        RuntimeException failure = new RuntimeException("why", new Textless());

        assertThat(LoggingTelemetry.printable(failure))
                .hasMessage(
                        "java.lang.RuntimeException, whose text cannot be shown: it throws java.lang.IllegalStateException")
                .satisfies(shown -> assertThat(shown.getStackTrace()).isEqualTo(failure.getStackTrace()));
    }
}
