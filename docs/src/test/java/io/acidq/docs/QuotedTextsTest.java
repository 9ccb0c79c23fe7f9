package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Log lines and messages of exceptions that a page quotes are in the code, so that a search for them finds them. Code within a sentence or a table counts as
 * such a quote if it has three words in lower case, or two words and a {@code …} in place of a variable part. Its constant parts must be in texts of the
 * published modules.
 */
class QuotedTextsTest {

    private static final Pattern FENCED = Pattern.compile("^ *```.*?^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("(?<!`)`((?:[^`\\n]|\\n(?!\\n))+)`(?!`)");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z'-]*[,:;.]?");
    private static final Pattern COMMAND_OR_SQL = Pattern.compile("(?:acidq|java|mvn|promtool|curl|SELECT|UPDATE) .*");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** Texts of others: of a pool, of a server, of MyBatis; filters of subscriptions, and the format of a column. */
    private static final Set<String> OTHERS = Set.of(
            "Connection is not available, request timed out",
            "Waiting for table metadata lock",
            "Cannot change the ExecutorType when there is an existing transaction",
            "type = 'Order' and region in ('eu', 'ch')",
            "region is null",
            "region is not null",
            "queue number:workers,…");

    private static final String TEXTS = texts();

    static List<Path> pages() {
        return Project.pages().stream()
                .filter(page -> page.startsWith(Project.ROOT.resolve("docs/en")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void areInTheCode(Path page) {
        assertThat(quotesIn(Project.text(page)).filter(quote -> !isInTheCode(quote)))
                .as(page + " quotes these texts, which no published module has (write … for variable parts)")
                .isEmpty();
    }

    @Test
    void areFound() {
        assertThat(pages().stream().flatMap(page -> quotesIn(Project.text(page))))
                .contains("the database does not answer; …", "task … fails and is retried until it works")
                .hasSizeGreaterThan(60);
        assertThat(quotesIn("see `acidq dead list`, `a.b`, `acidq_node` or `SELECT … LIMIT n`"))
                .isEmpty();
    }

    @Test
    void catchesATextThatIsNotInTheCode() {
        assertThat(isInTheCode("task … fails and is retried until it works")).isTrue();
        assertThat(isInTheCode("task … fails, and is retried until it works")).isFalse();
        assertThat(isInTheCode("the database answers the heartbeat, but not everybody"))
                .isFalse();
    }

    private static Stream<String> quotesIn(String page) {
        return CODE.matcher(FENCED.matcher(page).replaceAll(""))
                .results()
                .map(code -> code.group(1).replaceAll("\\s+", " "))
                .filter(QuotedTextsTest::isQuote);
    }

    private static boolean isQuote(String code) {
        List<String> words = List.of(code.split(" "));
        long lowerCase =
                words.stream().filter(word -> WORD.matcher(word).matches()).count();
        return (lowerCase >= 3 || (lowerCase >= 1 && words.size() >= 2 && code.contains("…")))
                && !COMMAND_OR_SQL.matcher(code).matches()
                && !OTHERS.contains(code);
    }

    private static boolean isInTheCode(String quote) {
        return Arrays.stream(quote.split("…")).map(String::strip).allMatch(TEXTS::contains);
    }

    /** Returns the string literals of the published modules, one a line; a literal ends where a variable part begins. */
    private static String texts() {
        try (Stream<Path> modules = Files.list(Project.ROOT)) {
            return modules.filter(module -> module.getFileName().toString().startsWith("queue-"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(QuotedTextsTest::sources)
                    .map(Project::text)
                    .map(source -> CONCATENATION
                            .matcher(COMMENT.matcher(source).replaceAll(""))
                            .replaceAll(""))
                    .flatMap(source -> LITERAL.matcher(source).results().map(literal -> literal.group(1)))
                    .map(literal -> literal.replace("\\\"", "\"").replace("{}", "\n"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
