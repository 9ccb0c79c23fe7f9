package io.acidq.dashboard.route;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads and writes JSON as maps, lists, texts, numbers and booleans. It uses the streams of Jackson 3 alone: jackson-databind 3 needs newer annotations than an
 * application with Spring Boot 3.5 has.
 */
public final class Json {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    /** Writes an object. Half a surrogate pair in a text stays what it is. */
    public static String write(Map<String, Object> fields) {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            write(generator, fields);
        }
        return out.toString();
    }

    private static void write(JsonGenerator out, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            fields.forEach((name, field) -> {
                out.writeName(String.valueOf(name));
                write(out, field);
            });
            out.writeEndObject();
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            list.forEach(element -> write(out, element));
            out.writeEndArray();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Integer || value instanceof Long) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            out.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value == null) {
            out.writeNull();
        } else {
            throw new IllegalArgumentException("no value of JSON: " + value.getClass());
        }
    }

    /** Whether the bytes are one value of JSON. */
    public static boolean isJson(byte[] bytes) {
        try {
            read(bytes);
            return true;
        } catch (JacksonException | RequestException e) {
            return false;
        }
    }

    /** Whether two texts are the same JSON but for white space and escapes. Numbers are the same if they are written alike. */
    public static boolean isSame(String one, String other) {
        try (JsonParser a = FACTORY.createParser(ObjectReadContext.empty(), one);
                JsonParser b = FACTORY.createParser(ObjectReadContext.empty(), other)) {
            JsonToken token;
            do {
                token = a.nextToken();
                if (token != b.nextToken() || (token != null && !Objects.equals(a.getString(), b.getString()))) {
                    return false;
                }
            } while (token != null);
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }

    /**
     * Reads one value.
     *
     * @return a map, a list, a text, an {@link Integer} or a {@link Long}, a {@link Double} for other numbers, a boolean, or null
     * @throws JacksonException when the bytes are no JSON, an object has a name twice, or another value follows
     */
    static @Nullable Object read(byte[] json) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            JsonToken first = in.nextToken();
            if (first == null) {
                throw RequestException.invalid("the body is empty: send a JSON object");
            }
            Object value = read(in, first);
            if (in.nextToken() != null) {
                throw RequestException.invalid("the body has more than one JSON value");
            }
            return value;
        }
    }

    /** Reads the value that begins with a token. The parser refuses values that are too deep for the stack. */
    private static @Nullable Object read(JsonParser in, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = in.currentName();
                    fields.put(name, read(in, in.nextToken()));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken()) {
                    list.add(read(in, next));
                }
                yield list;
            }
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT -> integer(in.getString());
            case VALUE_NUMBER_FLOAT -> Double.valueOf(in.getString());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    /** Returns the number, as a text if it is longer than any number that a parameter may have. */
    private static Object integer(String digits) {
        try {
            long number = Long.parseLong(digits);
            return number == (int) number ? (Object) (int) number : (Object) number;
        } catch (NumberFormatException e) {
            return digits;
        }
    }
}
