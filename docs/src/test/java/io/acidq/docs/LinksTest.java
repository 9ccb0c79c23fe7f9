package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);

    static List<Path> pages() {
        return Project.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void leadsSomewhereWithEveryRelativeLink(Path page) {
        assertThat(dead(page, Project.text(page))).as("links of " + page).isEmpty();
    }

    @Test
    void catchesLinksThatLeadNowhere() {
        String guilty = """
                # One heading: `code`
                [good](#one-heading-code) [good](pom.xml) [good](https://example.org/)
                [bad](#another) [bad](nowhere.md) [bad](CONTRIBUTING.md#nowhere)
                """;
        assertThat(dead(Project.ROOT.resolve("README.md"), guilty))
                .containsExactly("#another", "nowhere.md", "CONTRIBUTING.md#nowhere");
    }

    /** Returns the relative links of a page that lead to no file, or to no heading in it. */
    private static List<String> dead(Path page, String text) {
        return LINK.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("https?://.*|mailto:.*") && !leads(page, text, link))
                .toList();
    }

    private static boolean leads(Path page, String text, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? page : page.resolveSibling(path);
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(path.isEmpty() ? text : Project.text(target)).contains(link.substring(hash + 1));
    }

    /** Returns the anchors that GitHub makes of headings. */
    private static List<String> anchors(String text) {
        return HEADING.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(h -> h.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .strip()
                        .replace(' ', '-'))
                .toList();
    }
}
