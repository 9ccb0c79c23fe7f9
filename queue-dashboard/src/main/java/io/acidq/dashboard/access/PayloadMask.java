package io.acidq.dashboard.access;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a payload and its headers fit to be shown. The default is {@link JsonPayloadMask}. If a mask throws an exception, the dashboard shows nothing of the
 * message and says so. Implementations are thread-safe.
 */
@FunctionalInterface
public interface PayloadMask {

    /** The text that is shown in place of a masked value. */
    String MASKED = "•••";

    /**
     * Masks a payload and its headers.
     *
     * @param queue   the queue of the message
     * @param type    the logical name of the payload's type
     * @param headers the headers as they are stored
     * @param payload the payload as it is stored
     */
    Masked mask(String queue, String type, Map<String, String> headers, byte[] payload);

    /**
     * A payload and its headers as they are shown.
     *
     * @param mediaType the media type of the payload, such as {@code application/json}
     * @param text      the payload as a text; null to show nothing of it, as for a payload that is not text. Users with {@link Permission#UNMASKED} then see its
     *                  first 4 KiB as bytes
     * @param truncated whether the payload is longer than the text
     * @param masked    what was masked: paths such as {@code $.card.number}, and {@code header:name}
     * @param headers   the headers
     */
    record Masked(
            String mediaType,
            @Nullable String text,
            boolean truncated,
            List<String> masked,
            Map<String, String> headers) {

        public Masked {
            masked = List.copyOf(masked);
            headers = Map.copyOf(headers);
        }
    }
}
