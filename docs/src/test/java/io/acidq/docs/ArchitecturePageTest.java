package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on the architecture, its picture and the description of the engine's package name what exists, and the picture names all of it. */
class ArchitecturePageTest {

    private static final String PAGE = Project.text("docs/en/architecture.md");
    private static final String PACKAGE = Project.text("queue-core/src/main/java/io/acidq/engine/package-info.java");
    private static final String TABLES =
            Project.text("queue-mybatis/src/main/resources/io/acidq/schema/mysql/V1__acidq.sql");
    private static final List<String> PICTURE =
            found("<text[^>]*>([^<]*)</text>", Project.text("docs/en/images/architecture.svg"));

    private static final Pattern METHOD = Pattern.compile("\\[`(\\w+)\\.(\\w+)`]\\((\\.\\./\\.\\./[^)]+\\.java)\\)");
    private static final String TYPE = "([A-Z][a-z]\\w+)(?:\\.(?!xml)\\w+)?(?:\\([^`]*\\))?";
    private static final Pattern STEP = Pattern.compile("(?m)^\\| (\\d \\w+) \\| \\[`(\\w+)\\.");

    /** Words of a picture that look like a type. */
    private static final Set<String> PRODUCTS = Set.of("AcidQ", "MariaDB", "MySQL");

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
        assertThat(types())
                .containsAll(found("`" + TYPE + "`", PAGE))
                .containsAll(found("\\{@code " + TYPE + "}", PACKAGE))
                .containsAll(found("\\b([A-Z][a-z]+[A-Z]\\w*)", picture()).stream()
                        .filter(word -> !PRODUCTS.contains(word))
                        .toList());
    }

    @Test
    void listsEachPackageOfTheCoreInItsLayer() {
        Path core = Project.ROOT.resolve("queue-core/src/main/java/io/acidq");
        Set<String> packages = files(core)
                .map(file -> core.relativize(file.getParent()).toString().replace('/', '.'))
                .filter(name -> !name.isEmpty() && !name.equals("doctor"))
                .collect(Collectors.toCollection(TreeSet::new));
        String layers = String.join("\n", found("(?m)^\\d+\\. (.*)$", PAGE));
        assertThat(found("`([\\w.]+)`", layers))
                .contains("io.acidq")
                .filteredOn(name -> !name.equals("io.acidq"))
                .containsExactlyInAnyOrderElementsOf(packages);
    }

    @Test
    void showsEachTableInItsPicture() {
        List<String> tables = found("CREATE TABLE IF NOT EXISTS (\\w+)", TABLES);
        assertThat(found("\\b(acidq_\\w+)", picture())).containsAll(tables);
        assertThat(tables).containsAll(found("\\b(acidq_\\w+)", picture()));
    }

    @Test
    void showsEachStepOfTheWayOfAMessageInItsPicture() {
        String shown = String.join(" ", PICTURE);
        List<String> steps = STEP.matcher(PAGE)
                .results()
                .map(step -> step.group(1) + "(:| [\\w ]*)? ?[\\w, ]*" + step.group(2))
                .toList();
        assertThat(steps)
                .hasSize(6)
                .allMatch(step -> Pattern.compile(step).matcher(shown).find());
    }

    @Test
    void showsEachBackgroundTaskInItsPicture() {
        String tasks = PAGE.substring(PAGE.indexOf("| task | class |"), PAGE.indexOf("Every background task"));
        List<String> classes = found("(?m)^\\| [\\w -]+ \\| `(\\w+)` \\|", tasks);
        assertThat(classes).hasSizeGreaterThan(10);
        assertThat(found("(\\w+)", picture())).containsAll(classes);
    }

    @Test
    void showsEachPublishedModuleInItsPicture() throws IOException {
        try (Stream<Path> modules = Files.list(Project.ROOT)) {
            List<String> published = modules.map(module -> module.getFileName().toString())
                    .filter(name -> name.startsWith("queue-"))
                    .toList();
            assertThat(Set.copyOf(found("\\b(queue-[\\w-]+)", picture())))
                    .containsExactlyInAnyOrderElementsOf(published);
        }
    }

    private static String picture() {
        return String.join("\n", PICTURE);
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static boolean declares(Path link, String method) {
        Path file = Project.ROOT.resolve("docs/en").resolve(link).normalize();
        return Files.exists(file)
                && Pattern.compile("^    [\\w<>@\\[\\], .?]*\\b" + method + "\\(", Pattern.MULTILINE)
                        .matcher(Project.text(file))
                        .find();
    }

    /** The types of the main code, nested ones too. */
    private static Set<String> types() {
        try (Stream<Path> modules = Files.list(Project.ROOT)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(ArchitecturePageTest::files)
                    .flatMap(file ->
                            found("\\b(?:class|interface|record|enum) ([A-Z]\\w*)", Project.text(file)).stream())
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
