package io.acidq.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {

    @Test
    void decodesEncodedHeaders() {
        Map<String, String> headers = Map.of("traceparent", "00-ab-cd-01", "a=b&c", "ü 😀 =&", "empty", "");
        assertThat(Headers.decode(Headers.encode(headers))).isEqualTo(headers);
        assertThat(Headers.decode(Headers.encode(Map.of()))).isEmpty();
    }

    @Test
    void refusesHeadersThatDoNotFitTheColumn() {
        assertThatThrownBy(() -> Headers.encode(Map.of("a", "x".repeat(8000))))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("8000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no equals sign", "a=1&", "a=%zz", "a=%", "&"})
    void refusesADamagedText(String damaged) {
        assertThatThrownBy(() -> Headers.decode(damaged))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("headers")
                .hasMessageNotContaining("zz");
        assertThat(Headers.readable(damaged)).isEmpty();
    }
}
