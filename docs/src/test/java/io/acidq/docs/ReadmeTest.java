package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadmeTest {

    private static final String MAIN_JOB = "mvn -q -ntp package -Dmaven.test.skip=true -pl examples/order-service -am"
            + " && java -jar examples/order-service/target/order-service.jar";
    private static final String TESTS = "mvn -ntp verify";
    private static final String INSTALL = "mvn -q install -DskipTests";
    private static final String README = Project.text("README.md");
    private static final Pattern COMMAND = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern MAVEN_INSTALL = Pattern.compile("mvn [^\\n`]*\\binstall\\b[^\\n`]*");

    @Test
    void beginsWithExactlyTwoCommands() {
        assertThat(commandsAtTheTop(README)).containsExactly(MAIN_JOB, TESTS);
    }

    @Test
    void beginsWithTheCommandThatTheMergeCheckRuns() {
        assertThat(Project.text(".ci/run")).contains(MAIN_JOB);
    }

    @Test
    void namesTheVersionThatTheBuildMakes() {
        assertThat(Project.text("pom.xml"))
                .contains("<artifactId>acidq-parent</artifactId>\n  <version>" + version(README));
    }

    /** Major and minor, since a patch changes no requirement. */
    @ParameterizedTest
    @CsvSource({
        "'| MySQL {}, MariaDB', test-servers/src/main/java/io/acidq/testservers/DockerServer.java, mysql:",
        "', MariaDB {} |', test-servers/src/main/java/io/acidq/testservers/DockerServer.java, mariadb:",
        "'Spring Boot 4 (Spring Framework 7) | {} (', pom.xml, <spring-boot.version>",
        "'with Boot {} |', examples/boot-3/pom.xml, <spring-boot.version>",
        "'need not use it | {} |', pom.xml, <mybatis.version>"
    })
    void requiresWhatTheBuildTests(String row, String file, String mark) {
        String version = Project.text(file).split(mark, 2)[1].replaceFirst("(?s)^(\\d+\\.\\d+).*$", "$1");
        assertThat(README).contains(row.replace("{}", version));
    }

    /** Whatever page a reader begins with, the next one finds the modules that it needs. */
    @Test
    void installsByTheSameCommandOnEveryPage() {
        assertThat(Project.pages().stream()
                        .flatMap(page ->
                                MAVEN_INSTALL.matcher(Project.text(page)).results())
                        .map(MatchResult::group)
                        .distinct())
                .containsExactly(INSTALL);
    }

    @Test
    void catchesAThirdCommand() {
        assertThat(commandsAtTheTop(
                        "# X\n\n```sh\na\n```\n\n```sh\nb\n```\n\n```sh\nc\n```\n\n## Y\n\n```sh\nd\n```\n"))
                .containsExactly("a", "b", "c");
    }

    /** Those before the first section. */
    private static List<String> commandsAtTheTop(String readme) {
        return COMMAND.matcher(readme.split("\n## ", 2)[0])
                .results()
                .map(m -> m.group(1).strip())
                .toList();
    }

    private static String version(String readme) {
        return Pattern.compile("io\\.acidq:queue-spring-boot-starter:([\\w.-]+)")
                .matcher(readme)
                .results()
                .map(m -> m.group(1))
                .findFirst()
                .orElseThrow();
    }
}
