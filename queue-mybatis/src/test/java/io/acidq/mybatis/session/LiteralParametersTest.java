package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LiteralParametersTest {

    @Test
    void writesRowsOfDigitsThatNoSessionReadsAsAnythingElse() {
        LiteralParameters to =
                new LiteralParameters("INSERT INTO t (a, b, c) VALUES", List.of(" (", ", ", ", NOW(), ", ")"), 64);

        row(to, -1, "'\\".getBytes(), "ß'");
        row(to, 2, null, "");

        assertThat(to.sql())
                .isEqualTo("INSERT INTO t (a, b, c) VALUES (-1, x'275c', NOW(), _utf8mb4 x'c39f27'),"
                        + " (2, NULL, NOW(), _utf8mb4 x'')");
    }

    private static void row(LiteralParameters to, long number, byte[] bytes, String text) {
        to.number(number);
        to.bytes(bytes);
        to.text(text);
        to.endRow();
    }
}
