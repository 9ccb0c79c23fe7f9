package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on the architecture names classes and methods that exist. */
class ArchitecturePageTest {

    private static final String PAGE = Project.text("docs/en/architecture.md");
    private static final Pattern METHOD = Pattern.compile("\\[`(\\w+)\\.(\\w+)`]\\((\\.\\./\\.\\./[^)]+\\.java)\\)");
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.\\w+)?(?:\\([^`]*\\))?`");
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");

    @Test
    void linksEachMethodOfTheWayOfAMessageToTheFileThatHasIt() {
        List<String> broken = METHOD.matcher(PAGE)
                .results()
                .filter(link -> !declares(Path.of(link.group(3)), link.group(2)))
                .map(link -> link.group())
                .toList();
        assertThat(broken).isEmpty();
        assertThat(METHOD.matcher(PAGE).results())
                .as("one for each step at least")
                .hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void namesOnlyTypesThatExist() {
        Set<String> types = types();
        assertThat(TYPE.matcher(PAGE).results().map(m -> m.group(1)).filter(name -> !types.contains(name)))
                .isEmpty();
    }

    private static boolean declares(Path link, String method) {
        Path file = Project.ROOT.resolve("docs/en").resolve(link).normalize();
        return Files.exists(file)
                && Pattern.compile("^    [\\w<>@\\[\\], .?]*\\b" + method + "\\(", Pattern.MULTILINE)
                        .matcher(Project.text(file))
                        .find();
    }

    /** Nested types too. */
    private static Set<String> types() {
        try (Stream<Path> modules = Files.list(Project.ROOT)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(ArchitecturePageTest::files)
                    .flatMap(file -> DECLARATION.matcher(Project.text(file)).results())
                    .map(declaration -> declaration.group(1))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
