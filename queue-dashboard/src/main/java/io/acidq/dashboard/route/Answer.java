package io.acidq.dashboard.route;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a request. */
public sealed interface Answer {

    int OK = 200;
    int ACCEPTED = 202;

    /** JSON that is not kept by anybody. */
    static Answer json(Map<String, Object> fields) {
        return new Json(OK, fields, null);
    }

    /** JSON about an action that has begun and goes on after the answer. */
    static Answer accepted(Map<String, Object> fields) {
        return new Json(ACCEPTED, fields, null);
    }

    /**
     * JSON that is asked for again and again.
     *
     * @param version changes when the fields change; the answer to one who has this version is empty
     */
    static Answer polled(Map<String, Object> fields, String version) {
        return new Json(OK, fields, version);
    }

    /**
     * Fields in their order.
     *
     * @param status  the status of HTTP
     * @param version the version for the ETag; null for none
     */
    record Json(
            int status,
            Map<String, Object> fields,
            @Nullable String version) implements Answer {}

    /**
     * Bytes.
     *
     * @param download whether the browser saves them under this name and shows nothing; null to show them
     */
    record Bytes(String mediaType, byte[] bytes, @Nullable String download) implements Answer {}
}
