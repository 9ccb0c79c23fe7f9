package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlainJavaIT {

    @Test
    void sendsAnInvoiceAndBooksItOnce() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            PlainJava.main(new String[0]);
        } finally {
            System.setOut(before);
        }

        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        sent -> assertThat(sent).startsWith("sent invoice 4711 with message invoice.sent~"),
                        booked -> assertThat(booked).isEqualTo("booked 1 time(s)"));
    }
}
