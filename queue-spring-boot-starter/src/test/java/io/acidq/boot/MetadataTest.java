package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of {@code acidq.*} for editors. */
class MetadataTest {

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    @Test
    void describesEachProperty() throws IOException {
        assertThat(properties()).hasSizeGreaterThan(35).allSatisfy(property -> {
            assertThat(property.path("description").asString())
                    .as(property.path("name").asString())
                    .endsWith(".")
                    .hasSizeGreaterThan(20);
            assertThat(property.path("type").isMissingNode()).isFalse();
        });
    }

    @Test
    void describesTheDefaultsOfQueues() throws IOException {
        assertThat(properties())
                .extracting(p -> p.path("name").asString())
                .contains(
                        "acidq.queue-defaults.concurrency",
                        "acidq.queue-defaults.claim-strategy",
                        "acidq.known-queues");
    }

    /** A hint for a removed name has no effect. */
    @Test
    void hasHintsOnlyForExistingPropertiesWithDescriptions() throws IOException {
        List<String> names =
                properties().stream().map(p -> p.path("name").asString()).toList();
        List<JsonNode> hints = list(metadata().path("hints"));

        assertThat(hints).hasSizeGreaterThan(3).allSatisfy(hint -> {
            assertThat(names).contains(hint.path("name").asString().replaceFirst("\\.(keys|values)$", ""));
            assertThat(list(hint.path("values")))
                    .allSatisfy(value ->
                            assertThat(value.path("description").asString()).isNotBlank());
        });
    }

    private static List<JsonNode> properties() throws IOException {
        return list(metadata().path("properties"));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static JsonNode metadata() throws IOException {
        for (URL url : Collections.list(MetadataTest.class.getClassLoader().getResources(FILE))) {
            try (InputStream json = url.openStream()) {
                JsonNode all = JsonMapper.shared().readTree(json);
                if (all.path("properties").toString().contains("\"acidq.heartbeat-interval\"")) {
                    return all;
                }
            }
        }
        throw new AssertionError("no metadata of acidq");
    }
}
