package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinksTest {

    static List<Path> pages() {
        return Project.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void leadsSomewhereWithEveryRelativeLink(Path page) {
        assertThat(Links.dead(page, Project.text(page))).as("links of " + page).isEmpty();
    }

    @Test
    void catchesLinksThatLeadNowhere() {
        String guilty = """
                # One heading: `code`
                [good](#one-heading-code) [good](pom.xml) [good](https://example.org/)
                [bad](#another) [bad](nowhere.md) [bad](CONTRIBUTING.md#nowhere)
                """;
        assertThat(Links.dead(Project.ROOT.resolve("README.md"), guilty))
                .containsExactly("#another", "nowhere.md", "CONTRIBUTING.md#nowhere");
    }
}
