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

/** Retired names of types come back neither as files nor in the pages. */
class RetiredWordsTest {

    private static final Set<String> RETIRED = Project.text("docs/src/test/resources/retired-words.txt")
            .lines()
            .filter(line -> !line.startsWith("#") && !line.isBlank())
            .collect(Collectors.toSet());
    private static final Pattern CODE = Pattern.compile("`([A-Z]\\w+)(?:[.(#][^`]*)?`");

    @Test
    void areTheNamesOfNoJavaFile() throws IOException {
        try (Stream<Path> files = Files.walk(Project.ROOT)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".java"))
                            .map(name -> name.replace(".java", ""))
                            .filter(RETIRED::contains))
                    .isEmpty();
        }
    }

    @Test
    void areNotInTheEnglishPages() {
        List<Path> pages = Project.pages().stream()
                .filter(page -> page.toString().contains("/docs/en/") || page.endsWith("README.md"))
                .toList();
        assertThat(pages.stream().flatMap(page -> retiredIn(Project.text(page)).map(word -> page + ": " + word)))
                .isEmpty();
    }

    @Test
    void areFound() {
        assertThat(retiredIn("the `Crew.run` and a `Worker`")).containsExactly("Crew");
    }

    private static Stream<String> retiredIn(String page) {
        return CODE.matcher(page).results().map(match -> match.group(1)).filter(RETIRED::contains);
    }
}
