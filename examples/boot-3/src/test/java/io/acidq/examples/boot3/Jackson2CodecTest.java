package io.acidq.examples.boot3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.acidq.codec.Codec.Encoded;
import io.acidq.codec.MessageType;
import io.acidq.codec.UndecodableException;
import org.junit.jupiter.api.Test;

/** It stores what AcidQ's own codec stores, which is not here: Jackson 3 is to be missing on this class path. */
class Jackson2CodecTest {

    private static final String JSON = "{\"id\":7,\"article\":\"tea\"}";

    private final Jackson2Codec codec = new Jackson2Codec(new ObjectMapper());

    @MessageType("order")
    record RenamedOrder(long id, String article) {}

    @Test
    void storesTheSimpleNameOfTheClass() {
        Encoded encoded = codec.encode(new Order(7, "tea"));
        assertThat(encoded.type()).isEqualTo("Order");
        assertThat(encoded.bytes()).asString(UTF_8).isEqualTo(JSON);
        assertThat(codec.decode(encoded, Order.class)).isEqualTo(new Order(7, "tea"));
    }

    /** It stored the simple name, and the codec of Boot 4 made a dead letter of it. */
    @Test
    void storesAndReadsTheNameThatTheClassIsGiven() {
        assertThat(codec.encode(new RenamedOrder(7, "tea")).type()).isEqualTo("order");
        Encoded stored = new Encoded("order", JSON.getBytes(UTF_8));
        assertThat(codec.decode(stored, RenamedOrder.class)).isEqualTo(new RenamedOrder(7, "tea"));
        assertThatThrownBy(() -> codec.decode(stored, Order.class)).isInstanceOf(UndecodableException.class);
    }
}
