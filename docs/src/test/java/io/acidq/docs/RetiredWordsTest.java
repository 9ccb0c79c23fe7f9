package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The words of {@code retired-words.txt} do not come back. The same walk over the sources finds Javadoc that belongs to no declaration. */
class RetiredWordsTest {

    private static final String LIST = "docs/src/test/resources/retired-words.txt";
    private static final Set<String> TYPES = listed("type");
    private static final Pattern NAMES = anyOf(listed("name"));
    private static final Pattern WORDS = anyOf(listed("word"));
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
    private static final Pattern TYPE_IN_PAGE = Pattern.compile("`([A-Z]\\w+)(?:[.(#][^`]*)?`");
    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|xml|sql|ya?ml|json|properties|js|html|css)");

    /** A Javadoc comment that another one follows: the compiler drops it. */
    private static final Pattern DROPPED_JAVADOC = Pattern.compile("\\*/\\s*/\\*\\*");

    /** Folders without sources of ours. */
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".ci", ".mvn", ".idea", "node_modules");

    private static Map<Path, String> sources;
    private static Map<Path, String> pages;

    @BeforeAll
    static void read() throws IOException {
        Map<Path, String> found = new TreeMap<>();
        Files.walkFileTree(Project.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (SOURCE.matcher(file.toString()).matches() && !file.endsWith("RetiredWordsTest.java")) {
                    found.put(file, Project.text(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        sources = found;
        pages = Project.pages().stream()
                .filter(page -> !page.endsWith("CHANGELOG.md")) // has the old name of whatever was renamed
                .collect(Collectors.toMap(page -> page, Project::text));
    }

    @Test
    void areNoTypes() {
        assertThat(sources.entrySet().stream()
                        .filter(file -> file.getKey().toString().endsWith(".java"))
                        .flatMap(file ->
                                retiredTypes(DECLARATION, file.getValue()).map(type -> file.getKey() + ": " + type)))
                .isEmpty();
    }

    @Test
    void areNoNamesInTheCode() {
        assertThat(found(NAMES, sources)).isEmpty();
    }

    @Test
    void areNoWordsInTheCode() {
        assertThat(found(WORDS, sources)).isEmpty();
    }

    @Test
    void noJavadocIsFollowedByAnother() {
        assertThat(sources.entrySet().stream()
                        .filter(file -> file.getKey().toString().endsWith(".java")
                                && DROPPED_JAVADOC.matcher(file.getValue()).find())
                        .map(Map.Entry::getKey))
                .isEmpty();
        assertThat(DROPPED_JAVADOC.matcher("/** Of a. */\n    /** Of b. */").find())
                .isTrue();
    }

    @Test
    void areNotInThePages() {
        assertThat(pages.entrySet().stream()
                        .flatMap(page ->
                                retiredTypes(TYPE_IN_PAGE, page.getValue()).map(type -> page.getKey() + ": " + type)))
                .isEmpty();
        assertThat(found(NAMES, pages)).isEmpty();
        assertThat(found(WORDS, pages)).isEmpty();
    }

    @Test
    void areFound() {
        assertThat(retiredTypes(TYPE_IN_PAGE, "the `Crew.run` and a `Worker`")).containsExactly("Crew");
        assertThat(retiredTypes(DECLARATION, "final class Outer {\n    private record Crew<T>(T worker) {}"))
                .containsExactly("Crew");
        assertThat(NAMES.matcher("acidq.max-deaths=3").find()).isTrue();
        assertThat(NAMES.matcher("acidq.observed").find()).isFalse();
        assertThat(WORDS.matcher("Buried, by").find()).isTrue();
        assertThat(WORDS.matcher("heartbeats").find()).isFalse();
    }

    @Test
    void areSearchedInTestsScriptsAndPages() {
        Collection<String> read = Stream.of(sources, pages)
                .flatMap(files -> files.keySet().stream())
                .map(file -> Project.ROOT.relativize(file).toString())
                .toList();
        assertThat(read)
                .contains(
                        "README.zh-CN.md",
                        "docs/zh/glossary.md",
                        "CONTRIBUTING.md",
                        "queue-core/src/test/java/io/acidq/engine/listener/SimulationTest.java",
                        "queue-dashboard/src/main/resources/io/acidq/dashboard/ui/index.html",
                        "queue-dashboard/src/main/resources/io/acidq/dashboard/ui/lib/settings.js",
                        "queue-mybatis/src/main/resources/io/acidq/schema/mysql/V1__acidq.sql");
    }

    private static Stream<String> retiredTypes(Pattern type, String text) {
        return type.matcher(text).results().map(match -> match.group(1)).filter(TYPES::contains);
    }

    private static List<String> found(Pattern retired, Map<Path, String> files) {
        return files.entrySet().stream()
                .flatMap(file ->
                        retired.matcher(file.getValue()).results().map(match -> file.getKey() + ": " + match.group()))
                .toList();
    }

    private static Set<String> listed(String kind) {
        return Project.text(LIST)
                .lines()
                .filter(line -> line.startsWith(kind + " "))
                .map(line -> line.substring(kind.length() + 1))
                .collect(Collectors.toSet());
    }

    /** Whole words, whatever their case; a dash or a dot continues the name of a property. */
    private static Pattern anyOf(Set<String> words) {
        return Pattern.compile(
                "(?<![\\w-])(" + words.stream().map(Pattern::quote).collect(Collectors.joining("|")) + ")(?![\\w-])",
                Pattern.CASE_INSENSITIVE);
    }
}
