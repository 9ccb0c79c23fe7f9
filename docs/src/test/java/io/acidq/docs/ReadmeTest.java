package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final String MAIN_JOB = "mvn -q -ntp package -Dmaven.test.skip=true -pl examples/order-service -am"
            + " && java -jar examples/order-service/target/order-service.jar";
    private static final String TESTS = "mvn -ntp verify";
    private static final Pattern FENCED = Pattern.compile("^```\\w*\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    @Test
    void beginsWithExactlyTwoCommands() {
        assertThat(commandsAtTheTop(Project.text("README.md"))).containsExactly(MAIN_JOB, TESTS);
    }

    @Test
    void beginsWithTheCommandThatTheMergeCheckRuns() {
        assertThat(Project.text(".ci/run")).contains(MAIN_JOB);
    }

    @Test
    void namesTheVersionThatTheBuildMakes() {
        assertThat(Project.text("pom.xml"))
                .contains("<artifactId>acidq-parent</artifactId>\n  <version>" + version(Project.text("README.md")));
    }

    @Test
    void catchesAThirdCommand() {
        assertThat(commandsAtTheTop(
                        "# X\n\n```sh\na\n```\n\n```sh\nb\n```\n\n```sh\nc\n```\n\n## Y\n\n```sh\nd\n```\n"))
                .containsExactly("a", "b", "c");
    }

    /** Those before the first section. */
    private static List<String> commandsAtTheTop(String readme) {
        return FENCED.matcher(readme.split("\n## ", 2)[0])
                .results()
                .map(m -> m.group(1).strip())
                .toList();
    }

    private static String version(String readme) {
        return Pattern.compile("<version>(.+?)</version>")
                .matcher(readme)
                .results()
                .map(m -> m.group(1))
                .findFirst()
                .orElseThrow();
    }
}
