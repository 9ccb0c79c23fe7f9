package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ChargingIT {

    @Test
    void chargesOnceAlthoughTheFirstAnswerIsLost() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            Charging.main(new String[0]);
        } finally {
            System.setOut(before);
        }

        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("ran 2 times, booked 1 time(s)", "asked 2 times, charged 1 time(s)");
    }
}
