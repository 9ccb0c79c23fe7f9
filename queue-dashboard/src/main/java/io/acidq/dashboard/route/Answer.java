package io.acidq.dashboard.route;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a handler answers. */
public sealed interface Answer {

    /** JSON that is not kept by anybody. */
    static Answer json(Map<String, Object> fields) {
        return new Json(fields, null);
    }

    /**
     * JSON that is asked for again and again.
     *
     * @param version changes when the fields change; the answer to one who has this version is empty
     */
    static Answer polled(Map<String, Object> fields, String version) {
        return new Json(fields, version);
    }

    /**
     * Fields in their order.
     *
     * @param version the version for the ETag; null for none
     */
    record Json(Map<String, Object> fields, @Nullable String version) implements Answer {}

    /**
     * Bytes.
     *
     * @param download whether the browser saves them under this name and shows nothing; null to show them
     */
    record Bytes(String mediaType, byte[] bytes, @Nullable String download) implements Answer {}
}
