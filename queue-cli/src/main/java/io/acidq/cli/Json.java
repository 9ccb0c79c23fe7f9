package io.acidq.cli;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of maps, lists, texts and numbers; field names are written out where the maps are made, and depend on no locale. */
final class Json {

    private static final JsonMapper COMPACT = new JsonMapper();
    private static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    static String compact(Object value) {
        return COMPACT.writeValueAsString(value);
    }

    static String indented(Object value) {
        return INDENTED.writeValueAsString(value);
    }
}
