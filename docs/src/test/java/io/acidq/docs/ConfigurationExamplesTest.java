package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** The properties of AcidQ in the YAML and properties blocks of the pages exist. A name with dots is in brackets, without which the start fails. */
class ConfigurationExamplesTest {

    private static final Pattern BLOCK =
            Pattern.compile("^ *```(yaml|properties)\\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern KNOWN = known();

    static List<Path> pages() {
        return Project.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void nameExistingProperties(Path page) {
        assertThat(propertiesIn(Project.text(page)).filter(ConfigurationExamplesTest::isUnknown))
                .as(page + " sets properties that do not exist (a name with dots needs brackets)")
                .isEmpty();
    }

    @Test
    void areFound() {
        assertThat(pages().stream().flatMap(page -> propertiesIn(Project.text(page))))
                .contains("acidq.queues.[order.placed].on-dead-head", "acidq.queues[order.placed].retry");
    }

    @Test
    void catchesANameThatDoesNotExistAndDotsWithoutBrackets() {
        assertThat(propertiesIn("""
                        ```yaml
                        acidq:
                          queues:
                            order.placed:
                              on-dead-head: park
                            "[order.sent]":
                              on-dead-head: park
                        ```
                        ```properties
                        acidq.queues.orders.workers=4
                        acidq.queues.orders.concurrency=4
                        acidq.known-queues[0]=orders
                        spring.datasource.url=jdbc:mysql://localhost/shop
                        ```
                        """).filter(ConfigurationExamplesTest::isUnknown))
                .containsExactlyInAnyOrder("acidq.queues.order.placed.on-dead-head", "acidq.queues.orders.workers");
    }

    private static boolean isUnknown(String property) {
        return property.startsWith("acidq.") && !KNOWN.matcher(property).matches();
    }

    private static Stream<String> propertiesIn(String page) {
        return BLOCK.matcher(page).results().flatMap(block -> {
            String text = block.group(2).stripIndent();
            return block.group(1).equals("yaml") ? flat("", new Yaml().load(text)) : keys(text);
        });
    }

    private static Stream<String> flat(String name, Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(entry ->
                            flat(name.isEmpty() ? "" + entry.getKey() : name + "." + entry.getKey(), entry.getValue()));
        }
        return Stream.of(name);
    }

    private static Stream<String> keys(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.stringPropertyNames().stream();
    }

    /** Returns a pattern of all properties. The key of a map has no dot, or is in brackets; a list may have an index. */
    private static Pattern known() {
        try {
            return Pattern.compile(Property.all().stream()
                    .map(property -> Stream.of(property.name().split("\\.\\*", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining("(?:\\.[\\w-]+|\\.?\\[[^\\]]+\\])"))
                            + (property.type().startsWith("List") ? "(?:\\[\\d+\\])?" : ""))
                    .collect(Collectors.joining("|")));
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
