package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tutorial can be typed: it shows each file of its application, and a project with the versions that this one is built with. */
class TutorialTest {

    private static final String PAGE = Project.text("docs/en/tutorial.md");
    private static final String POM = Project.text("pom.xml");

    @ParameterizedTest
    @CsvSource({
        "spring-boot-starter-parent, <spring-boot.version>",
        "mybatis-spring-boot-starter, <mybatis-spring-boot.version>",
        "queue-spring-boot-starter, <version>",
        "queue-devdb, <version>"
    })
    void namesTheVersionOfTheBuild(String artifact, String before) {
        assertThat(versionOf(artifact, PAGE)).isEqualTo(POM.split(before, 2)[1].split("<", 2)[0]);
    }

    @Test
    void catchesAnotherVersion() {
        assertThat(versionOf("queue-devdb", PAGE.replace("0.1.0-SNAPSHOT", "0.0.9")))
                .isEqualTo("0.0.9");
    }

    @Test
    void showsEachFileOfItsApplicationWhole() throws IOException {
        try (Stream<Path> files = Files.walk(Project.ROOT.resolve("examples/tutorial/src/main"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.endsWith("package-info.java"))
                            .map(file -> Project.ROOT.relativize(file).toString()))
                    .isNotEmpty()
                    .isSubsetOf(
                            Snippet.in(PAGE).stream().map(Snippet::reference).toList());
        }
    }

    private static String versionOf(String artifact, String page) {
        return page.split(Pattern.quote("<artifactId>" + artifact + "</artifactId>"), 2)[1]
                .split("<version>", 2)[1]
                .split("<", 2)[0];
    }
}
