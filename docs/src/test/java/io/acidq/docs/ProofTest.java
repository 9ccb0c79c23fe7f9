package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of proofs names each case, tests that are there, and the invariants that the auditor checks. */
class ProofTest {

    private static final String PAGE_PATH = "docs/en/proof.md";
    private static final String PAGE = Project.text(PAGE_PATH);
    private static final int CASES = 57;
    private static final List<String> LETTERED = List.of("12a", "12b", "12c", "21a", "40a", "40b", "40c");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+[a-c]?) \\|(.*)$");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern INVARIANT = Pattern.compile("(?m)^    ([A-Z_]+)\\(\\s*\"([^\"]+)\"\\)[,;]");
    private static final Pattern INVARIANTS =
            Pattern.compile("(<!-- invariants -->\\n)(.*?)(<!-- /invariants -->)", Pattern.DOTALL);

    @Test
    void hasOneRowForEachCase() {
        assertThat(rows(PAGE).map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(IntStream.rangeClosed(1, CASES).mapToObj(String::valueOf), LETTERED.stream())
                                .toList());
    }

    @Test
    void namesATestInEachRowOrSaysWhyThereIsNone() {
        assertThat(rows(PAGE).filter(saysNothing())).isEmpty();
    }

    @Test
    void namesTestsThatAreThere() {
        assertThat(missing(PAGE)).isEmpty();
    }

    @Test
    void listsTheInvariantsThatTheAuditorChecks() throws IOException {
        String fresh = INVARIANTS.matcher(PAGE).replaceAll(block -> block.group(1) + invariants() + block.group(3));
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(Project.ROOT.resolve(PAGE_PATH), fresh);
            return;
        }
        assertThat(PAGE).contains("<!-- invariants -->").isEqualTo(fresh);
    }

    @Test
    void catchesARowThatShowsNothingAndATestThatIsNotThere() {
        String guilty = "| 1 | it works | | both | |\n| 2 | it works | `ProofTest#works`, `NoTest#works` | both | |\n";
        assertThat(rows(guilty).filter(saysNothing()).map(row -> row.group(1))).containsExactly("1");
        assertThat(missing(guilty)).containsExactly("ProofTest#works", "NoTest#works");
    }

    private static Stream<MatchResult> rows(String page) {
        return ROW.matcher(page).results();
    }

    private static Predicate<MatchResult> saysNothing() {
        return row -> !TEST.matcher(row.group(2)).find() && !row.group(2).contains("not shown: ");
    }

    private static List<String> missing(String page) {
        Map<String, List<Path>> tests = testFiles();
        return TEST.matcher(page)
                .results()
                .filter(test -> tests.getOrDefault(test.group(1), List.of()).stream()
                        .noneMatch(file -> isThere(file, test.group(2))))
                .map(test -> test.group(1) + "#" + test.group(2))
                .toList();
    }

    private static boolean isThere(Path file, String method) {
        return Pattern.compile("(void|List<DynamicTest>) " + method + "\\(")
                .matcher(Project.text(file))
                .find();
    }

    /** By the name of the class. */
    private static Map<String, List<Path>> testFiles() {
        try (Stream<Path> all = Files.walk(Project.ROOT)) {
            return all.filter(p -> p.toString().contains("/src/test/java/")
                            && p.toString().endsWith(".java"))
                    .collect(Collectors.groupingBy(
                            p -> p.getFileName().toString().replace(".java", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String invariants() {
        String source = Project.text("chaos/src/main/java/io/acidq/chaos/audit/Invariant.java")
                .replaceAll("\"\\s*\\+ \"", "");
        return INVARIANT
                .matcher(source)
                .results()
                .map(m -> "| `" + m.group(1) + "` | " + m.group(2) + " |\n")
                .collect(Collectors.joining("", "| invariant | what it says |\n|---|---|\n", ""));
    }
}
