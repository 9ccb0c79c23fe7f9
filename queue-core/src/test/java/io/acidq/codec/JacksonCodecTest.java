package io.acidq.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;

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

    static final class WriteOnly {
        private final long id;

        WriteOnly(long id, String customer) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    @Test
    void refusesAPayloadThatCanBeWrittenButNotReadAgain() {
        assertThatThrownBy(() -> codec.encode(new WriteOnly(1, "c")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(WriteOnly.class.getName(), "no Creators", "check-round-trip");
        assertThat(codec.withRoundTripCheck(false).encode(new WriteOnly(1, "c")).type())
                .isEqualTo("WriteOnly");
    }

    @Test
    void checksOnlyTheFirstPayloadOfAClass() {
        AtomicInteger reads = new AtomicInteger();
        JacksonCodec counting = new JacksonCodec(JsonMapper.builder()
                .addModule(new SimpleModule().addDeserializer(Order.class, new ValueDeserializer<>() {
                    @Override
                    public Order deserialize(JsonParser parser, DeserializationContext context) {
                        parser.skipChildren();
                        reads.incrementAndGet();
                        return new Order(1, "c");
                    }
                }))
                .build());
        counting.encode(new Order(1, "c"));
        counting.encode(new Order(2, "c"));
        assertThat(reads).hasValue(1);
    }

    interface Payment {}

    record Card(String number) implements Payment {}

    record Paid(long id, Payment payment) {}

    /** A bug: the first payload had no payment, so the ones with a payment were dead letters. */
    @Test
    void readsALaterPayloadAgainThatContainsTheFirstObjectOfAClass() {
        codec.encode(new Paid(1, null));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> codec.encode(new Paid(2, new Card("4"))))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContainingAll(Paid.class.getName(), "abstract types");
            codec.encode(new Paid(3, null));
        }
    }

    @Test
    void readsEveryPayloadAgainIfItIsTold() {
        AtomicInteger reads = new AtomicInteger();
        JacksonCodec counting = new JacksonCodec(JsonMapper.builder()
                        .addModule(new SimpleModule().addDeserializer(Order.class, new ValueDeserializer<>() {
                            @Override
                            public Order deserialize(JsonParser parser, DeserializationContext context) {
                                parser.skipChildren();
                                reads.incrementAndGet();
                                return new Order(1, "c");
                            }
                        }))
                        .build())
                .withCheckOfEveryPayload(true);
        counting.encode(new Order(1, "c"));
        counting.encode(new Order(2, "c"));
        assertThat(counting.checksEveryPayload()).isTrue();
        assertThat(reads).hasValue(2);
    }

    /** Collections without an order of their own, alone and in others. */
    record Bag(Set<String> words, Map<String, Integer> numbers, List<Set<Set<Integer>>> nested) {

        /** The same content, in an order that depends on the capacity. */
        static Bag of(int capacity) {
            Set<String> words = new HashSet<>(capacity);
            Map<String, Integer> numbers = new HashMap<>(capacity);
            Set<Set<Integer>> inner = new HashSet<>(capacity);
            for (int i = 0; i < 50; i++) {
                words.add("word" + i * 7919);
                numbers.put("number" + i * 7919, i);
                Set<Integer> innermost = new HashSet<>(capacity);
                innermost.addAll(List.of(i * 7919, -i - 1, i * 104_729 + 1));
                inner.add(innermost);
            }
            return new Bag(words, numbers, List.of(inner));
        }
    }

    @Test
    void encodesEqualPayloadsReproduciblyWhateverTheOrderOfTheirSetsAndMaps() {
        Bag one = Bag.of(1);
        Bag other = Bag.of(1 << 16);
        assertThat(codec.encode(one).bytes()).isNotEqualTo(codec.encode(other).bytes());
        assertThat(reproducible(one)).isEqualTo(reproducible(other));
        assertThat(reproducible(one.words())).isEqualTo(reproducible(other.words()));
        assertThat(reproducible(Map.of("all", one.numbers()))).isEqualTo(reproducible(Map.of("all", other.numbers())));
        assertThat(codec.decode(codec.encodeReproducibly(other), Bag.class)).isEqualTo(one);
    }

    @Test
    void keepsTheOrderOfCollectionsThatHaveOne() {
        Map<String, Object> linked = new LinkedHashMap<>();
        linked.put("b", new LinkedHashSet<>(List.of(2, 1)));
        linked.put("a", List.of(4, 3));
        assertThat(reproducible(linked)).isEqualTo("{\"b\":[2,1],\"a\":[4,3]}");
    }

    private String reproducible(Object payload) {
        return new String(codec.encodeReproducibly(payload).bytes(), UTF_8);
    }

    static final class NoGetters {
        private final long id = 1;
    }

    record Around(NoGetters inner) {}

    record Empty() {}

    static final class Ignored {
        @JsonIgnore
        private final long id = 1;
    }

    @Test
    void refusesAClassOfWhoseFieldsJacksonWritesNone() {
        for (Object payload : List.of(new NoGetters(), new Around(new NoGetters()), List.of(new NoGetters()))) {
            assertThatThrownBy(() -> codec.encode(payload))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContainingAll(NoGetters.class.getName(), "getters");
        }
        assertThat(codec.decode(codec.encode(new Empty()), Empty.class)).isEqualTo(new Empty());
        codec.encode(new Ignored());
    }

    @Test
    void refusesFieldsThatTheClassDoesNotHaveIfAsked() {
        Codec.Encoded renamed = new Codec.Encoded("Order", "{\"id\":1,\"buyer\":\"b\"}".getBytes(UTF_8));
        assertThat(codec.decode(renamed, Order.class)).isEqualTo(new Order(1, null));
        assertThatThrownBy(() -> codec.withFailOnUnknownFields(true).decode(renamed, Order.class))
                .isInstanceOf(UndecodableException.class)
                .hasStackTraceContaining("buyer");
    }

    @Test
    void refusesJsonWithoutAComponentOfTheRecordIfAsked() {
        Codec.Encoded old = new Codec.Encoded("Order", "{\"id\":1}".getBytes(UTF_8));
        assertThat(codec.decode(old, Order.class)).isEqualTo(new Order(1, null));
        assertThatThrownBy(() -> codec.withFailOnMissingFields(true).decode(old, Order.class))
                .isInstanceOf(UndecodableException.class)
                .hasStackTraceContaining("customer");
    }

    // snippet:alias
    record Renamed(long id, @JsonAlias("customer") String buyer) {}
    // /snippet

    @Test
    void readsARenamedFieldByItsAlias() {
        JacksonCodec strict = codec.withFailOnUnknownFields(true).withFailOnMissingFields(true);
        Codec.Encoded old = new Codec.Encoded("Renamed", "{\"id\":1,\"customer\":\"b\"}".getBytes(UTF_8));
        assertThat(strict.decode(old, Renamed.class)).isEqualTo(new Renamed(1, "b"));
    }

    @Test
    void keepsTheSettingsOfTheApplicationsMapper() {
        JacksonCodec snake = new JacksonCodec(JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                        .build())
                .withFailOnUnknownFields(true);
        assertThat(new String(snake.encode(new Order(1, "c")).bytes(), UTF_8))
                .isEqualTo("{\"Id\":1,\"Customer\":\"c\"}");
    }
}
