package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerOptions;
import io.acidq.config.HistoryOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String DEFAULTS = "acidq.queue-defaults.";
    private static final Path FILE = Project.ROOT.resolve("docs/en/configuration.md");
    private static final String PAGE = Project.text(FILE);
    private static final String MARK = "<!-- generated from the metadata -->\n";

    @Test
    void hasAnEntryWithTypeAndDefaultForEachPropertyAndNoOther() throws Exception {
        assertThat(Property.inEntries(PAGE))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(Property.all().stream()
                        .filter(p -> !p.name().startsWith(DEFAULTS))
                        .map(Property::entry)
                        .toList());
    }

    /** The page describes each of them once, for a queue. */
    @Test
    void hasTheSameSettingsForAQueueAndForTheDefaultsOfAll() throws Exception {
        List<Property> all = Property.all();

        assertThat(all.stream().map(Property::name).filter(n -> n.startsWith(DEFAULTS)))
                .isNotEmpty()
                .map(n -> n.replace(DEFAULTS, "acidq.queues.*."))
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .map(Property::name)
                        .filter(n -> n.startsWith("acidq.queues.*."))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                EngineConfig.class,
                QueueConfig.class,
                Retention.class,
                HistoryOptions.class,
                Listener.class,
                HandlerOptions.class,
                Concurrency.class,
                RetryPolicy.class,
                Backoff.class,
                Breaker.class,
                RateLimit.class,
                Bulkhead.class
            })
    void namesEachSettingOfTheBuilders(Class<?> type) {
        assertThat(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName))
                .allSatisfy(name -> assertThat(PAGE).contains("`" + type.getSimpleName() + "." + name + "`"));
    }

    @Test
    void catchesAWrongDefaultAndAMissingEntry() {
        String beat = "acidq.heartbeat-interval: Duration = 3s";
        assertThat(Property.inEntries(PAGE)).contains(beat);
        assertThat(Property.inEntries(PAGE.replace("`Duration`, default `3s`, ", "`Duration`, default `4s`, ")))
                .contains("acidq.heartbeat-interval: Duration = 4s")
                .doesNotContain(beat);
        assertThat(Property.inEntries("### `acidq.a.<name>.b-c`\n\n`int`, unset: 2 s."))
                .containsExactly("acidq.a.*.b-c: int = ");
    }

    /** With {@code -Ddocs.write=true} the table is written anew. */
    @Test
    void endsWithATableOfTheMetadata() throws Exception {
        String expected = PAGE.substring(0, PAGE.indexOf(MARK) + MARK.length()) + "\n" + table(Property.all());
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(FILE, expected);
            return;
        }
        assertThat(PAGE)
                .as("docs/en/configuration.md is stale: mvn verify -pl docs -am -Ddocs.write=true writes it anew")
                .isEqualTo(expected);
    }

    @Test
    void describesEachProperty() throws Exception {
        assertThat(Property.all())
                .hasSizeGreaterThan(60)
                .allSatisfy(p ->
                        assertThat(p.description()).as(p.name()).endsWith(".").doesNotContain("{@"));
    }

    private static String table(List<Property> properties) {
        return properties.stream()
                .sorted(Comparator.comparing(Property::name))
                .map(ConfigurationTest::row)
                .collect(
                        Collectors.joining("", "| property | type | default | description |\n|---|---|---|---|\n", ""));
    }

    private static String row(Property p) {
        String value = p.defaultValue().isEmpty() ? "" : "`" + p.defaultValue() + "`";
        return "| [`" + p.shownName() + "`](#" + anchor(p) + ") | `" + p.type() + "` | " + value + " | "
                + summary(p.description()).replace("|", "\\|") + " |\n";
    }

    /** Returns at most two sentences of a description. The entry of the property has the rest, and the harm of wrong values. */
    private static String summary(String description) {
        return Arrays.stream(description.split("(?<=\\.) (?=[A-Z])"))
                .takeWhile(sentence -> !sentence.startsWith("Too "))
                .limit(2)
                .collect(Collectors.joining(" "));
    }

    /** Returns the anchor of the property's entry. The defaults of all queues are described by the entries of a queue. */
    private static String anchor(Property property) {
        return property.shownName()
                .replace("acidq.queue-defaults.", "acidq.queues.<queue>.")
                .replaceAll("[^a-z-]", "");
    }
}
