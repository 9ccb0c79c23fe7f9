package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM names every module that users get, and no other, in the version that the build makes. */
class BomTest {

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern MANAGED =
            Pattern.compile("<artifactId>(.+?)</artifactId>\\s*<version>\\$\\{project\\.version}</version>");
    private static final Pattern VERSION = Pattern.compile("<version>(.+?)</version>");
    private static final String NOT_PUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";
    private static final String BOM = "queue-bom";

    @Test
    void namesEveryPublishedModule() {
        assertThat(all(MANAGED, Project.text(BOM + "/pom.xml"))).containsExactlyInAnyOrderElementsOf(published());
    }

    @Test
    void hasTheVersionOfTheBuild() {
        assertThat(all(VERSION, Project.text(BOM + "/pom.xml")).get(0))
                .isEqualTo(all(VERSION, Project.text("pom.xml")).get(0));
    }

    @Test
    void catchesAModuleThatIsMissing() {
        String guilty = Project.text(BOM + "/pom.xml").replaceFirst("queue-mybatis", "queue-other");

        assertThat(all(MANAGED, guilty)).doesNotContain("queue-mybatis").contains("queue-other");
        assertThat(published()).contains("queue-core", "queue-mybatis").doesNotContain("test-servers", "examples");
    }

    private static List<String> published() {
        return all(MODULE, Project.text("pom.xml")).stream()
                .filter(module -> !module.equals(BOM))
                .filter(module -> !Project.text(module + "/pom.xml").contains(NOT_PUBLISHED))
                .toList();
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
