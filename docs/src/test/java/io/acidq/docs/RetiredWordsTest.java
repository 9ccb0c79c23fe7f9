package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of {@code retired-words.txt} do not come back. */
class RetiredWordsTest {

    private static final String LIST = "docs/src/test/resources/retired-words.txt";
    private static final Set<String> TYPES = listed("type");
    private static final Pattern NAMES = anyOf(listed("name"));
    private static final Pattern WORDS = anyOf(listed("word"));
    private static final Pattern TYPE_IN_PAGE = Pattern.compile("`([A-Z]\\w+)(?:[.(#][^`]*)?`");
    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|xml|sql|ya?ml|json|properties)");
    private static final Pattern MAIN_SOURCE = Pattern.compile(".*/src/main/.*\\.(java|xml|sql|json)");

    @Test
    void areNoTypes() throws IOException {
        assertThat(sources()
                        .map(file -> file.getFileName().toString().replace(".java", ""))
                        .filter(TYPES::contains))
                .isEmpty();
    }

    @Test
    void areNoNamesInTheCode() throws IOException {
        assertThat(sources().flatMap(file -> found(NAMES, file))).isEmpty();
    }

    @Test
    void areNoWordsInTheMainCode() throws IOException {
        assertThat(sources()
                        .filter(file -> MAIN_SOURCE.matcher(file.toString()).matches())
                        .flatMap(file -> found(WORDS, file)))
                .isEmpty();
    }

    @Test
    void areNotInTheEnglishPages() {
        List<Path> pages = Project.pages().stream()
                .filter(page -> page.toString().contains("/docs/en/") || page.endsWith("README.md"))
                .toList();
        assertThat(pages.stream()
                        .flatMap(page -> retiredTypes(Project.text(page)).map(word -> page + ": " + word)))
                .isEmpty();
        assertThat(pages.stream().flatMap(page -> Stream.concat(found(NAMES, page), found(WORDS, page))))
                .isEmpty();
    }

    @Test
    void areFound() {
        assertThat(retiredTypes("the `Crew.run` and a `Worker`")).containsExactly("Crew");
        assertThat(NAMES.matcher("acidq.max-deaths=3").find()).isTrue();
        assertThat(NAMES.matcher("acidq.observed").find()).isFalse();
        assertThat(WORDS.matcher("Buried, by").find()).isTrue();
        assertThat(WORDS.matcher("heartbeats").find()).isFalse();
    }

    private static Stream<String> retiredTypes(String page) {
        return TYPE_IN_PAGE.matcher(page).results().map(match -> match.group(1)).filter(TYPES::contains);
    }

    private static Stream<String> found(Pattern retired, Path file) {
        return retired.matcher(Project.text(file)).results().map(match -> file + ": " + match.group());
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Project.ROOT)) {
            return files
                    .filter(file -> SOURCE.matcher(file.toString()).matches())
                    .filter(file -> Stream.of("/target/", "/.git/", "/.ci/").noneMatch(file.toString()::contains))
                    .filter(file -> !file.endsWith("RetiredWordsTest.java"))
                    .toList()
                    .stream();
        }
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
