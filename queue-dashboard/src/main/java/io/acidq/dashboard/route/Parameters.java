package io.acidq.dashboard.route;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The parameters of a request: those of the query of a GET, or the fields of the JSON of a POST. A value of the wrong form is refused with status 400. Immutable.
 */
public final class Parameters {

    private final Map<String, Object> values;

    private Parameters(Map<String, Object> values) {
        this.values = values;
    }

    /** Reads the text after the question mark of a URL; empty for none. */
    public static Parameters ofQuery(String query) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                if (values.put(name, value) != null) {
                    throw RequestException.invalid("the parameter '" + name + "' is given twice: give it once");
                }
            }
        }
        return new Parameters(values);
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RequestException.invalid("the query has an incomplete escape: write % as %25");
        }
    }

    /** Reads an object of JSON. */
    public static Parameters ofJson(byte[] body) {
        Object value;
        try {
            value = Json.read(body);
        } catch (JacksonException e) {
            throw RequestException.invalid("the body is no JSON object: " + e.getOriginalMessage());
        }
        if (!(value instanceof Map<?, ?> fields)) {
            throw RequestException.invalid("the body must be a JSON object");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        fields.forEach((name, field) -> {
            if (field != null) { // null is as good as absent
                values.put(String.valueOf(name), field);
            }
        });
        return new Parameters(values);
    }

    /** Refuses parameters that the route does not have. */
    public void allowOnly(Set<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw RequestException.invalid("there is no parameter '" + name + "' here; there are: "
                        + String.join(", ", new TreeSet<>(names)));
            }
        }
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns a text that must be given. */
    public String text(String name) {
        String value = optional(name);
        if (value == null || value.isEmpty()) {
            throw RequestException.invalid("the parameter '" + name + "' is missing");
        }
        return value;
    }

    /** Returns a text, or null if it is not given. */
    public @Nullable String optional(String name) {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw RequestException.invalid("the parameter '" + name + "' must be a text");
    }

    /** Returns a text that must be given, and may be empty. */
    public String anyText(String name) {
        String value = optional(name);
        if (value == null) {
            throw RequestException.invalid("the parameter '" + name + "' is missing");
        }
        return value;
    }

    /** Returns the bytes of a text in Base64 that must be given. */
    public byte[] base64(String name) {
        try {
            return Base64.getDecoder().decode(anyText(name));
        } catch (IllegalArgumentException e) {
            throw RequestException.invalid("the parameter '" + name + "' must be in Base64: " + e.getMessage());
        }
    }

    /** Returns an object of texts, or null if it is not given. */
    public @Nullable Map<String, String> texts(String name) {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> fields) {
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                if (!(field.getValue() instanceof String text)) {
                    throw RequestException.invalid(
                            "the parameter '" + name + "' must have texts only; '" + field.getKey() + "' is none");
                }
                texts.put(String.valueOf(field.getKey()), text);
            }
            return texts;
        }
        throw RequestException.invalid("the parameter '" + name + "' must be an object of texts");
    }

    /** Returns the name of the queue, which must be given and valid. */
    public String queue() {
        String name = text("queue");
        return checked(() -> InputChecks.checkQueue(name));
    }

    /** Returns the id of a message, which must be given. */
    public MessageId messageId(String name) {
        return messageIdOf(text(name));
    }

    private static MessageId messageIdOf(String text) {
        try {
            return MessageId.parse(text);
        } catch (IllegalArgumentException e) {
            throw RequestException.invalid(String.valueOf(e.getMessage()));
        }
    }

    /** Returns a list of ids of messages; empty if it is not given. */
    public List<MessageId> messageIds(String name, int max) {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw RequestException.invalid("the parameter '" + name + "' must be a list of message ids");
        }
        if (list.isEmpty() || list.size() > max) {
            throw RequestException.invalid(
                    "the parameter '" + name + "' must have 1 to " + max + " ids, but has " + list.size());
        }
        return list.stream().map(each -> messageIdOf((String) each)).distinct().toList();
    }

    /** Returns a whole number between two bounds. */
    public int number(String name, int otherwise, int min, int max) {
        Object value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.toString());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below, as a number out of bounds
        }
        throw RequestException.invalid(
                "the parameter '" + name + "' must be a number of " + min + " to " + max + ", was '" + value + "'");
    }

    /** Returns a number that must be given, 0 or more, as digits or as a number of JSON. */
    public long longNumber(String name) {
        Object value = values.get(name);
        try {
            long number = Long.parseLong(String.valueOf(value));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw RequestException.invalid(
                "the parameter '" + name + "' must be a number of 0 or more, was '" + value + "'");
    }

    /** Returns a number that must be given, 0 or more. */
    public long count(String name) {
        Object value = values.get(name);
        if (value instanceof Integer || value instanceof Long) {
            long count = ((Number) value).longValue();
            if (count >= 0) {
                return count;
            }
        }
        throw RequestException.invalid("the parameter '" + name + "' must be a number of 0 or more"
                + (value == null ? ", and is missing" : ", was '" + value + "'"));
    }

    /** Returns true or false. */
    public boolean flag(String name, boolean otherwise) {
        Object value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw RequestException.invalid("the parameter '" + name + "' must be true or false, was '" + value + "'");
    }

    /** Returns a time, or null if it is not given. */
    public @Nullable Instant time(String name) {
        String value = optional(name);
        if (value == null) {
            return null;
        }
        Instant time;
        try {
            time = Instant.parse(value);
        } catch (DateTimeException e) {
            throw RequestException.invalid(
                    "the parameter '" + name + "' must be a time such as 2031-05-01T12:00:00Z, was '" + value + "'");
        }
        return checked(() -> {
            InputChecks.checkTime("parameter '" + name + "'", time);
            return time;
        });
    }

    /** Returns one of the constants of an enum, in upper or lower case, or null if it is not given. */
    public <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
        String value = optional(name);
        if (value == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw RequestException.invalid("the parameter '" + name + "' must be one of " + List.of(type.getEnumConstants())
                + ", was '" + value + "'");
    }

    /** Runs a check of values of the request. What it refuses is a mistake in the request, and no conflict with the database. */
    public <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (QueueMisuseException e) {
            throw RequestException.invalid(String.valueOf(e.getMessage()));
        }
    }
}
