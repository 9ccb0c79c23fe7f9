package io.acidq.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonCodecTest {

    private final JacksonCodec codec = new JacksonCodec();

    record Order(long id, String customer) {}

    @MessageType("order")
    record RenamedOrder(long id, String customer) {}

    static final class Loop {
        public Loop getSelf() {
            return this;
        }
    }

    @Test
    void decodesAnEncodedPayloadByItsSimpleName() {
        Codec.Encoded encoded = codec.encode(new Order(7, "ü"));
        assertThat(encoded.type()).isEqualTo("Order");
        assertThat(codec.decode(encoded, Order.class)).isEqualTo(new Order(7, "ü"));
    }

    @Test
    void decodesAPayloadByItsMessageTypeAfterTheClassWasRenamed() {
        Codec.Encoded stored = new Codec.Encoded("order", "{\"id\":7,\"customer\":\"c\"}".getBytes(UTF_8));
        assertThat(codec.decode(stored, RenamedOrder.class)).isEqualTo(new RenamedOrder(7, "c"));
    }

    @Test
    void doesNotLoadAClassByTheStoredName() {
        Codec.Encoded gadget = new Codec.Encoded("java.util.concurrent.ForkJoinPool", "{}".getBytes(UTF_8));
        assertThatThrownBy(() -> codec.decode(gadget, Order.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("'java.util.concurrent.ForkJoinPool'")
                .hasMessageContaining("'Order'");
    }

    @Test
    void refusesAPayloadThatIsNotJsonOfTheType() {
        assertThatThrownBy(() -> codec.decode(new Codec.Encoded("Order", "{".getBytes(UTF_8)), Order.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(Order.class.getName());
        assertThatThrownBy(() -> codec.decode(new Codec.Encoded("Order", "null".getBytes(UTF_8)), Order.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("null");
    }

    @Test
    void refusesAPayloadThatCannotBeEncoded() {
        assertThatThrownBy(() -> codec.encode(new Loop()))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(Loop.class.getName());
    }

    @Test
    void refusesATypeWithoutAName() {
        assertThatThrownBy(() -> codec.encode(new Object() {
                    public int x = 1;
                }))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@MessageType");
    }

    @ParameterizedTest
    @EnumSource(DefaultTyping.class)
    void refusesAMapperWithDefaultTyping(DefaultTyping typing) {
        ObjectMapper mapper = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        typing)
                .build();
        assertThatThrownBy(() -> new JacksonCodec(mapper))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("default typing");
    }
}
