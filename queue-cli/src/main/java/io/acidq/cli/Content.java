package io.acidq.cli;

import io.acidq.MessageId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a message carries, shown only where it was asked for: as text when it is text, else in Base64. */
final class Content {

    private Content() {}

    static Map<String, Object> fields(byte[] payload, Map<String, String> headers) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Optional<String> text = text(payload);
        if (text.isPresent()) {
            fields.put("payload", text.get());
        } else {
            fields.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
        }
        fields.put("headers", new TreeMap<>(headers));
        return fields;
    }

    static void show(MessageId id, byte[] payload, Map<String, String> headers, Output output) {
        output.line("");
        output.line(id.toString());
        new TreeMap<>(headers).forEach((name, value) -> output.line("  " + Text.oneLine(name + ": " + value)));
        output.line("  "
                + Text.lines(text(payload)
                        .orElseGet(() -> "base64:" + Base64.getEncoder().encodeToString(payload))));
    }

    private static Optional<String> text(byte[] payload) {
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
