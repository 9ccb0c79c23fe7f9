package io.acidq.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** Which payloads a listener's class reads, by their run-time class. */
class PayloadTypesTest {

    private final JacksonCodec codec = new JacksonCodec();

    sealed interface Change permits Added, Removed, Moved {}

    record Added(long id) implements Change {}

    record Removed(long id) implements Change {}

    sealed interface Moved extends Change permits MovedUp {}

    record MovedUp(int by) implements Moved {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    interface Shape {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
    abstract static class Animal {
        public String name = "";
    }

    static final class Dog extends Animal {}

    enum Level {
        LOW,
        HIGH {
            @Override
            int weight() {
                return 2;
            }
        };

        int weight() {
            return 1;
        }
    }

    public static class Bean {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long value) {
            id = value;
        }
    }

    /** As CGLIB names it. */
    static class Bean$$SpringCGLIB$$0 extends Bean {
        public Object interceptor = "none";
    }

    /** As AutoValue generates it. */
    abstract static class Value {
        public abstract long getId();

        @JsonCreator
        static Value of(long id) {
            return new AutoValue_Value(id);
        }
    }

    private static final class AutoValue_Value extends Value {
        private final long id;

        private AutoValue_Value(long id) {
            this.id = id;
        }

        @Override
        public long getId() {
            return id;
        }
    }

    /** As Immutables generates it. */
    @JsonDeserialize(as = ImmutableArticle.class)
    interface Article {
        long id();
    }

    record ImmutableArticle(long id) implements Article {}

    static final class Attributes extends HashMap<String, String> {
        private static final long serialVersionUID = 1L;
    }

    static Stream<Arguments> readable() {
        Bean generated = new Bean$$SpringCGLIB$$0();
        generated.setId(7);
        Attributes attributes = new Attributes();
        attributes.put("a", "b");
        return Stream.of(
                Arguments.of(Map.of("a", 1), Map.class, "Map"),
                Arguments.of(new TreeMap<>(Map.of("a", 1)), Map.class, "Map"),
                Arguments.of(Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))), LinkedHashMap.class, "Map"),
                Arguments.of(new EnumMap<>(Map.of(Level.LOW, 1)), Map.class, "Map"),
                Arguments.of(Map.of("a", 1), JsonNode.class, "Map"),
                Arguments.of(JsonMapper.shared().createObjectNode().put("a", 1), JsonNode.class, "JsonNode"),
                Arguments.of(JsonMapper.shared().createObjectNode().put("a", 1), Map.class, "JsonNode"),
                Arguments.of(attributes, Attributes.class, "Map"),
                Arguments.of(List.of(1, 2), List.class, "List"),
                Arguments.of(Set.of(1), Set.class, "List"),
                Arguments.of(Collections.singletonList(1), JsonNode.class, "List"),
                Arguments.of(new Added(1), Change.class, "Added"),
                Arguments.of(new Added(1), Added.class, "Added"),
                Arguments.of(new MovedUp(1), Change.class, "MovedUp"),
                Arguments.of(new MovedUp(1), Moved.class, "MovedUp"),
                Arguments.of(new Circle(1), Shape.class, "Circle"),
                Arguments.of(new Circle(1), Circle.class, "Circle"),
                Arguments.of(new Dog(), Animal.class, "Animal"),
                Arguments.of(new Dog(), Dog.class, "Animal"),
                Arguments.of(Level.HIGH, Level.class, "Level"),
                Arguments.of(TimeUnit.SECONDS, TimeUnit.class, "TimeUnit"),
                Arguments.of(generated, Bean.class, "Bean"),
                Arguments.of(new Bean() {}, Bean.class, "Bean"),
                Arguments.of(Value.of(1), Value.class, "Value"),
                Arguments.of(new ImmutableArticle(1), Article.class, "ImmutableArticle"),
                Arguments.of(new ImmutableArticle(1), ImmutableArticle.class, "ImmutableArticle"),
                Arguments.of(Path.of("a"), Path.class, "Path"),
                Arguments.of(ZoneId.of("Europe/Berlin"), ZoneId.class, "ZoneId"),
                Arguments.of(5, Long.class, "Integer"),
                Arguments.of(5L, int.class, "Long"),
                Arguments.of(5L, BigDecimal.class, "Long"),
                Arguments.of("text", String.class, "String"));
    }

    @ParameterizedTest
    @MethodSource("readable")
    void readsAPayloadAsTheClassThatTheListenerDeclares(Object payload, Class<?> listened, String storedName) {
        Codec.Encoded encoded = codec.encode(payload);
        assertThat(encoded.type()).isEqualTo(storedName);
        Object read = codec.decode(encoded, listened);
        assertThat(codec.encode(read).bytes()).as("the same content").isEqualTo(encoded.bytes());
    }

    @Test
    void writesNoFieldOfAGeneratedSubclass() {
        assertThat(new String(codec.encode(new Bean$$SpringCGLIB$$0()).bytes(), UTF_8))
                .isEqualTo("{\"id\":0}");
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of(new Added(1), Removed.class),
                Arguments.of(new Added(1), Moved.class),
                Arguments.of(new Circle(1), Square.class),
                Arguments.of(new Added(1), Shape.class),
                Arguments.of(5.5, Long.class),
                Arguments.of(List.of(1), Map.class),
                Arguments.of(Map.of("id", 1), Added.class),
                Arguments.of("text", Level.class));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void refusesAPayloadOfAnotherType(Object payload, Class<?> listened) {
        Codec.Encoded encoded = codec.encode(payload);
        assertThatThrownBy(() -> codec.decode(encoded, listened))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(listened.getName());
    }

    @Test
    void refusesANumberThatDoesNotFit() {
        Codec.Encoded encoded = codec.encode(Long.MAX_VALUE);
        assertThatThrownBy(() -> codec.decode(encoded, Integer.class)).isInstanceOf(UndecodableException.class);
    }
}
