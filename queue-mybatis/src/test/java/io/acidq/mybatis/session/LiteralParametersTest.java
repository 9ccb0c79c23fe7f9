package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiteralParametersTest {

    @Test
    void writesTextThatEverySessionReadsTheSameWay() {
        LiteralParameters to = new LiteralParameters(
                LiteralParameters.bytesOf("INSERT INTO t (a, b, c) VALUES"),
                LiteralParameters.pieces(" (?, ?, NOW(), ?)"),
                64);

        row(to, -1, "'\\".getBytes(), "ß'");
        row(to, 2, null, "");
        row(to, 3, "{\"a\": \"~%_;--\"}".getBytes(), "plain");
        row(to, 4, "{\"a\": \"o'clock\"}".getBytes(), "\n");
        row(to, 5, "1234567".getBytes(), "\\");

        assertThat(to.sql())
                .isEqualTo("INSERT INTO t (a, b, c) VALUES (-1, x'275c', NOW(), _utf8mb4 x'c39f27'),"
                        + " (2, NULL, NOW(), _utf8mb4 ''),"
                        + " (3, _binary'{\"a\": \"~%_;--\"}', NOW(), _utf8mb4 'plain'),"
                        + " (4, x'7b2261223a20226f27636c6f636b227d', NOW(), _utf8mb4 x'0a'),"
                        + " (5, _binary'1234567', NOW(), _utf8mb4 x'5c')");
    }

    private static void row(LiteralParameters to, long number, byte[] bytes, String text) {
        to.number(number);
        to.bytes(bytes);
        to.text(text);
        to.endRow();
    }
}
