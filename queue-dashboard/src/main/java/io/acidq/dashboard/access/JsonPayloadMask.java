package io.acidq.dashboard.access;

import java.io.StringWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * The default mask. It reads JSON as a stream, indents it, and replaces the values of {@link SensitiveNames} and of given paths. Numbers stay as they are written.
 * Of JSON with more than 256 KiB, and of other texts, it shows the first 4 KiB. Of a payload that is not text, such as one with a control character, it shows
 * nothing; users with {@link Permission#UNMASKED} then see its first 4 KiB as bytes.
 */
public final class JsonPayloadMask implements PayloadMask {

    private static final int WHOLE_BYTES = 256 * 1024;
    private static final int SHOWN_OF_LONGER = 4 * 1024;
    private static final int MAX_PATHS = 200;
    private static final JsonFactory JSON = new JsonFactory();

    private static final ObjectWriteContext INDENTED = new ObjectWriteContext.Base() {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    };

    private final SensitiveNames names;
    private final Set<String> paths;

    /** A mask of the values of these names. */
    public JsonPayloadMask(SensitiveNames names) {
        this(names, Set.of());
    }

    /**
     * A mask of the values of these names, and at these paths.
     *
     * @param paths a queue and a path each, such as {@code orders:$.customer.birthday}; the indexes of arrays are left out
     */
    public JsonPayloadMask(SensitiveNames names, Collection<String> paths) {
        this.names = names;
        this.paths = Set.copyOf(paths);
        for (String path : paths) {
            if (!path.contains(":$.")) {
                throw new IllegalArgumentException(
                        "the path '" + path + "' must be a queue and a path, such as orders:$.customer.birthday");
            }
        }
    }

    @Override
    public Masked mask(String queue, String type, Map<String, String> headers, byte[] payload) {
        List<String> masked = new ArrayList<>();
        Map<String, String> shownHeaders = new TreeMap<>();
        headers.forEach((name, value) -> {
            String shown = names.matches(name) ? MASKED : names.maskText(value);
            if (!shown.equals(value)) {
                masked.add("header:" + name);
            }
            shownHeaders.put(name, shown);
        });
        List<String> maskedPaths = new ArrayList<>();
        Masked json = json(queue, payload, maskedPaths, shownHeaders, masked);
        return json != null ? json : text(payload, masked, shownHeaders);
    }

    private @Nullable Masked json(
            String queue,
            byte[] payload,
            List<String> maskedPaths,
            Map<String, String> headers,
            List<String> maskedHeaders) {
        LimitedWriter out = new LimitedWriter(payload.length > WHOLE_BYTES ? SHOWN_OF_LONGER : Integer.MAX_VALUE);
        boolean truncated = false;
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), payload);
                JsonGenerator generator = JSON.createGenerator(INDENTED, out)) {
            JsonToken first = in.nextToken();
            if (first != JsonToken.START_OBJECT && first != JsonToken.START_ARRAY) {
                return null; // a text such as 12 or true is shown as it is
            }
            new Copy(in, generator, path -> paths.contains(queue + ":" + path), maskedPaths).run();
            if (in.nextToken() != null) {
                return null;
            }
        } catch (LimitReached e) {
            truncated = true;
        } catch (JacksonException e) {
            return null; // no JSON
        }
        List<String> masked = new ArrayList<>(maskedHeaders);
        masked.addAll(maskedPaths);
        return new Masked("application/json", out.toString(), truncated, masked, headers);
    }

    private Masked text(byte[] payload, List<String> masked, Map<String, String> headers) {
        int length = Math.min(payload.length, SHOWN_OF_LONGER);
        boolean truncated = length < payload.length;
        String text = decode(payload, length, !truncated);
        if (text == null) {
            return new Masked("application/octet-stream", null, truncated, masked, headers);
        }
        String shown = names.maskText(text);
        if (!shown.equals(text)) {
            masked.add("$");
        }
        return new Masked("text/plain", shown, truncated, masked, headers);
    }

    private static @Nullable String decode(byte[] payload, int length, boolean whole) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer out = CharBuffer.allocate(length + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(payload, 0, length), out, whole);
        String text = out.flip().toString();
        boolean printable = text.chars().allMatch(c -> c >= ' ' || c == '\n' || c == '\r' || c == '\t');
        return result.isUnderflow() && printable ? text : null;
    }

    /** Copies one JSON value. */
    private final class Copy {

        private final JsonParser in;
        private final JsonGenerator out;
        private final Predicate<String> isMaskedPath;
        private final List<String> masked;
        private final Set<String> reported = new HashSet<>();

        Copy(JsonParser in, JsonGenerator out, Predicate<String> isMaskedPath, List<String> masked) {
            this.in = in;
            this.out = out;
            this.isMaskedPath = isMaskedPath;
            this.masked = masked;
        }

        /** Copies the value whose first token is the current one. A loop, since a deep payload must not overflow the stack. */
        void run() {
            int depth = 0;
            do {
                JsonToken token = in.currentToken();
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                switch (token) {
                    case START_OBJECT -> out.writeStartObject();
                    case END_OBJECT -> out.writeEndObject();
                    case START_ARRAY -> out.writeStartArray();
                    case END_ARRAY -> out.writeEndArray();
                    case PROPERTY_NAME -> copyName(in.currentName());
                    case VALUE_STRING -> copyText(in.getString());
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(in.getString());
                    case VALUE_TRUE -> out.writeBoolean(true);
                    case VALUE_FALSE -> out.writeBoolean(false);
                    default -> out.writeNull();
                }
            } while (depth > 0 && in.nextToken() != null);
        }

        private void copyName(String name) {
            out.writeName(name);
            if (names.matches(name) || isMaskedPath.test(path())) {
                report();
                in.nextToken();
                in.skipChildren();
                out.writeString(MASKED);
            }
        }

        private void copyText(String value) {
            String shown = names.maskText(value);
            if (!shown.equals(value)) {
                report();
            }
            out.writeString(shown);
        }

        private void report() {
            String path = path();
            if (masked.size() < MAX_PATHS && reported.add(path)) {
                masked.add(path);
            }
        }

        /** The names from the root to the current token, without the indexes of arrays. */
        private String path() {
            String path = "";
            for (TokenStreamContext context = in.streamReadContext(); context != null; context = context.getParent()) {
                if (context.inObject() && context.currentName() != null) {
                    path = "." + context.currentName() + path;
                }
            }
            return "$" + path;
        }
    }

    /** Ends the copy of a long payload. */
    private static final class LimitReached extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LimitReached() {
            super(null, null, false, false);
        }
    }

    private static final class LimitedWriter extends Writer {

        private final StringWriter out = new StringWriter();
        private final int limit;

        LimitedWriter(int limit) {
            this.limit = limit;
        }

        @Override
        public void write(char[] chars, int offset, int length) {
            int room = limit - out.getBuffer().length();
            out.write(chars, offset, Math.max(0, Math.min(room, length)));
            if (length > room) {
                throw new LimitReached();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        @Override
        public String toString() {
            return out.toString();
        }
    }
}
