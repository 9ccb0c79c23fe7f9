package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Chinese page has what its English one has, and somebody has looked at it since that one was changed. With {@code
 * -Ddocs.translated=docs/zh/x.md}, or several with commas between, those pages are marked as looked at instead.
 */
class TranslationTest {

    private static final String GUILTY = """
            # A
            ## B
            See [order](../en/order.md#x) and `acidq.heartbeat-interval`.

            | a | b |
            |---|---|
            | 1 | `2` |

            ```sh
            mvn verify
            ```
            """;

    static List<Path> pages() {
        return Translation.pages();
    }

    @Test
    void isThereForEachPageThatIsPromised() {
        assertThat(pages().stream().map(p -> p.getFileName().toString()))
                .contains("README.zh-CN.md", "tutorial.md", "guarantees.md", "mybatis.md", "failure-modes.md");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void isMadeOfThePageOfTheSameName(Path page) {
        Translation translation = Translation.of(page, Project.text(page));
        assertThat(translation.english()).isEqualTo(translation.expected()).exists();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void wasLookedAtSinceTheEnglishPageChanged(Path page) throws IOException {
        String text = Project.text(page);
        Translation translation = Translation.of(page, text);
        String english = Project.text(translation.english());
        String name = Project.ROOT.relativize(page).toString();
        if (List.of(System.getProperty("docs.translated", "").split(",")).contains(name)) {
            Files.writeString(page, Translation.marked(text, translation.mark(english)));
            return;
        }
        assertThat(translation.sha256())
                .as(
                        "%s has changed since %s was compared with it. Bring the translation up to date (git log -p shows what changed),"
                                + " then run: mvn test -pl docs -am -Dtest=TranslationTest -Dsurefire.failIfNoSpecifiedTests=false"
                                + " -Ddocs.translated=%s, or write as its first line: %s",
                        Project.ROOT.relativize(translation.english()), name, name, translation.mark(english))
                .isEqualTo(Translation.hash(english));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void hasTheSameHeadingsTablesCodeAndLinks(Path page) {
        String text = Project.text(page);
        assertThat(PageStructure.of(text))
                .as(page + " beside its English page")
                .usingRecursiveComparison()
                .isEqualTo(
                        PageStructure.of(Project.text(Translation.of(page, text).english())));
    }

    @Test
    void catchesWhatATranslationLacks() {
        PageStructure whole = PageStructure.of(GUILTY);
        assertThat(PageStructure.of(GUILTY.replace("order", "订单"))).isNotEqualTo(whole);
        assertThat(PageStructure.of(
                        GUILTY.replace("# A", "# 甲").replace("and", "与").replace("| a |", "| 甲 |")))
                .isEqualTo(whole);
        assertThat(PageStructure.of(GUILTY.replace("## B", "B"))).isNotEqualTo(whole);
        assertThat(PageStructure.of(GUILTY.replace("| 1 | `2` |\n", ""))).isNotEqualTo(whole);
        assertThat(PageStructure.of(GUILTY.replace("acidq.heartbeat-interval", "acidq.heartbeats")))
                .isNotEqualTo(whole);
        assertThat(PageStructure.of(GUILTY.replace("mvn verify", "mvn test"))).isNotEqualTo(whole);
    }

    @Test
    void catchesAPageThatWasTranslatedFromAnotherText() {
        Path page = Project.ROOT.resolve("docs/zh/guarantees.md");
        String mark = Translation.of(page, "<!-- of docs/en/guarantees.md sha256:" + "0".repeat(64) + " -->\n")
                .mark(GUILTY);
        Translation translation = Translation.of(page, mark + GUILTY);
        assertThat(translation.sha256()).isEqualTo(Translation.hash(GUILTY));
        assertThat(translation.sha256()).isNotEqualTo(Translation.hash(GUILTY.replace("See", "Look at")));
        assertThatThrownBy(() -> Translation.of(page, GUILTY)).hasMessageContaining("must begin with the line");
    }
}
