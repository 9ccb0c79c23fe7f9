package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.docs.Property.Described;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list at the end of the configuration page is what the metadata says. With {@code -Ddocs.write=true} it is written anew. */
class PropertiesTest {

    private static final Path PAGE = Project.ROOT.resolve("docs/en/configuration.md");
    private static final String MARK = "<!-- generated from the metadata -->\n";

    @Test
    void isWhatTheMetadataSays() throws Exception {
        String text = Project.text(PAGE);
        String head = text.substring(0, text.indexOf(MARK) + MARK.length());
        String fresh = head + "\n" + table(Property.described());
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, fresh);
            return;
        }
        assertThat(text)
                .as("docs/en/configuration.md is stale: mvn verify -pl docs -am -Ddocs.write=true writes it anew")
                .isEqualTo(fresh);
    }

    @Test
    void describesEachProperty() throws Exception {
        assertThat(Property.described())
                .hasSizeGreaterThan(60)
                .allSatisfy(p -> assertThat(p.description())
                        .as(p.property().name())
                        .endsWith(".")
                        .doesNotContain("{@"));
    }

    private static String table(List<Described> properties) {
        return properties.stream()
                .sorted(Comparator.comparing(p -> p.property().name()))
                .map(PropertiesTest::row)
                .collect(
                        Collectors.joining("", "| property | type | default | description |\n|---|---|---|---|\n", ""));
    }

    private static String row(Described p) {
        String value = p.property().defaultValue();
        return "| [`" + p.property().shownName() + "`](#" + anchor(p.property()) + ") | `" + p.type() + "` | "
                + (value.isEmpty() ? "" : "`" + value + "`") + " | "
                + p.description().replace("|", "\\|") + " |\n";
    }

    /** Of the property's entry; the entries of a queue stand for the defaults of all too. */
    private static String anchor(Property property) {
        return property.shownName()
                .replace("acidq.queue-defaults.", "acidq.queues.<queue>.")
                .replaceAll("[^a-z-]", "");
    }
}
