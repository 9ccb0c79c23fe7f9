package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The index of the documentation has one row for each page, in four kinds. */
class IndexTest {

    private static final String INDEX = Project.text("docs/en/README.md");
    private static final Pattern SECTION = Pattern.compile("^## (.+)$", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| \\[[^\\]]+]\\(([\\w-]+\\.md)\\)", Pattern.MULTILINE);

    @Test
    void hasTheFourKindsOfPages() {
        assertThat(SECTION.matcher(INDEX).results().map(section -> section.group(1)))
                .containsExactly("Tutorial", "How-to", "Reference", "Explanation");
    }

    @Test
    void hasOneRowForEachPage() {
        assertThat(rows(INDEX)).containsExactlyInAnyOrderElementsOf(pages());
    }

    @Test
    void catchesAPageWithTwoRows() {
        assertThat(rows("| [A](a.md) | one |\n| [B](a.md) | [other](b.md) |\n")).containsExactly("a.md", "a.md");
    }

    private static List<String> rows(String index) {
        return ROW.matcher(index).results().map(row -> row.group(1)).toList();
    }

    private static List<String> pages() {
        String[] names = Project.ROOT.resolve("docs/en").toFile().list();
        return Stream.ofNullable(names)
                .flatMap(Arrays::stream)
                .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                .toList();
    }
}
