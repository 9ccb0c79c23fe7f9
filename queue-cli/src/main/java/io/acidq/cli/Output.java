package io.acidq.cli;

import io.acidq.MessageId;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The standard output of a command, as text or as one JSON value. Commands build JSON from maps with literal field names, so that no class name and no
 * locale can change a name.
 *
 * @param json whether JSON is written; then {@code line}, {@code table} and {@code content} write nothing
 */
record Output(PrintWriter out, boolean json) {

    static final JsonMapper COMPACT_JSON = new JsonMapper();
    private static final JsonMapper INDENTED_JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    void line(String text) {
        if (!json) {
            out.println(text);
        }
    }

    void table(List<String> head, List<List<String>> rows) {
        if (!json) {
            TerminalText.table(head, rows).forEach(out::println);
        }
    }

    void json(Object value) {
        if (json) {
            out.println(INDENTED_JSON.writeValueAsString(value));
        }
    }

    /** Writes headers and payload of a message. A payload that is not UTF-8 is written in Base64. */
    void content(MessageId id, byte[] payload, Map<String, String> headers) {
        line("");
        line(id.toString());
        new TreeMap<>(headers).forEach((name, value) -> line("  " + TerminalText.oneLine(name + ": " + value)));
        line("  "
                + TerminalText.lines(decode(payload)
                        .orElseGet(() -> "base64:" + Base64.getEncoder().encodeToString(payload))));
    }

    /** Returns headers and payload of a message as JSON fields. */
    static Map<String, Object> contentFields(byte[] payload, Map<String, String> headers) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Optional<String> text = decode(payload);
        if (text.isPresent()) {
            fields.put("payload", text.get());
        } else {
            fields.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
        }
        fields.put("headers", new TreeMap<>(headers));
        return fields;
    }

    private static Optional<String> decode(byte[] payload) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
