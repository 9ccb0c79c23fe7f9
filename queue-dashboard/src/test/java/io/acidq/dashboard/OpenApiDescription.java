package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The file {@code openapi.yaml}, against which answers are checked. */
final class OpenApiDescription {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonNode root;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    OpenApiDescription() {
        try (InputStream in = Dashboard.class.getResourceAsStream("openapi.yaml")) {
            root = new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode root() {
        return root;
    }

    JsonNode operation(String method, String path) {
        return root.path("paths").path("/" + path).path(method.toLowerCase(Locale.ROOT));
    }

    /** Follows a reference within the file. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? root.at(node.path("$ref").asString().substring(1)) : node;
    }

    /** Checks that an answer has the fields and the forms that the file describes, and no others. */
    void check(String method, String path, DashboardResponse response) {
        JsonNode responses = operation(method, path).path("responses");
        String status = String.valueOf(response.status());
        JsonNode described = resolved(responses.has(status) ? responses.path(status) : responses.path("default"));
        JsonNode content = described.path("content");
        String type = response.headers().get("Content-Type");
        assertThat(content.has(type))
                .as("%s of %s %s is described", type, method, path)
                .isTrue();
        if (type.equals("application/json")) {
            check(content.path(type).path("schema"), new JsonMapper().readTree(response.body()), method + " " + path);
        }
    }

    private void check(JsonNode schema, JsonNode value, String what) {
        List<Error> errors = schemas.computeIfAbsent(schema.toString(), text -> compiled(schema))
                .validate(value);
        assertThat(errors).as("%s: %s", what, value).isEmpty();
    }

    private Schema compiled(JsonNode schema) {
        ObjectNode whole = (ObjectNode) schema.deepCopy();
        whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        whole.set("components", root.path("components"));
        return REGISTRY.getSchema(whole);
    }
}
