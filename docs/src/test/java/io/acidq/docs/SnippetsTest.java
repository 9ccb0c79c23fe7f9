package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What pages show of the code is what the code says. With {@code -Ddocs.write=true} the pages are brought up to date instead. */
class SnippetsTest {

    private static final Pattern JAVA = Pattern.compile("^```java$", Pattern.MULTILINE);
    private static final String GUILTY = """
            <!-- snippet: docs/src/test/java/io/acidq/docs/SnippetsTest.java#guilty -->
            ```java
            return 2;
            ```
            <!-- /snippet -->
            """;

    static List<Path> pages() {
        return Project.pages();
    }

    /** All but the first page of the repository, which links the file instead: its example is as short as possible. */
    static List<Path> pagesWithImports() {
        return Project.pages().stream()
                .filter(page -> !page.getParent().equals(Project.ROOT))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void showsTheSourcesAsTheyAre(Path page) throws IOException {
        String text = Project.text(page);
        String fresh = Snippet.refreshed(text, Sources::piece);
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(page, fresh);
            return;
        }
        assertThat(Snippet.in(text))
                .as(page + " has stale snippets: mvn verify -pl docs -am -Ddocs.write=true writes them anew")
                .containsExactlyElementsOf(Snippet.in(fresh));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void showsNoJavaThatIsNotCompiled(Path page) {
        assertThat(JAVA.matcher(Snippet.without(Project.text(page))).results())
                .as(page + " has Java that is not between snippet marks")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pagesWithImports")
    void showsTheImportsOfTheFirstJavaOfAPage(Path page) {
        assertThat(Snippet.in(Project.text(page)).stream()
                        .map(Snippet::reference)
                        .filter(reference -> reference.contains(".java"))
                        .limit(1)
                        .filter(reference -> reference.contains("#") && !reference.endsWith("+imports"))
                        .filter(reference -> !Sources.imports(reference).isEmpty()))
                .as(page + " needs +imports at the end of this reference")
                .isEmpty();
    }

    @Test
    void putsTheImportsOfARegionBeforeIt() {
        assertThat(Sources.piece("docs/src/test/java/io/acidq/docs/SnippetsTest.java#imported+imports"))
                .isEqualTo("""
                        import static org.assertj.core.api.Assertions.assertThat;

                        import java.util.List;

                        assertThat(List.of()).isEmpty();
                        """);
        assertThat(Sources.imports("docs/src/test/java/io/acidq/docs/SnippetsTest.java#guilty"))
                .isEmpty();
    }

    @Test
    void showsAWholeFileWithoutMarks() {
        assertThat(Sources.piece("docs/src/test/java/io/acidq/docs/SnippetsTest.java"))
                .startsWith("package io.acidq.docs;\n")
                .contains("    static int guilty(int one) {\n        return one;\n    }\n");
    }

    @Test
    void catchesAStaleSnippet() {
        assertThat(Snippet.in(GUILTY)).isNotEqualTo(Snippet.in(Snippet.refreshed(GUILTY, Sources::piece)));
        assertThat(Snippet.refreshed(GUILTY, Sources::piece)).contains("```java\nreturn one;\n```");
    }

    @Test
    void catchesAMarkThatOpensNothing() {
        assertThatThrownBy(() -> Snippet.in(GUILTY.replace("<!-- /snippet -->", "")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void putsFragmentsAndListsIntoStatements() {
        assertThat(Sources.piece("queue-mybatis/src/main/resources/io/acidq/mybatis/Claims.xml#lanesWithWork"))
                .contains("FROM acidq_message m FORCE INDEX (PRIMARY)\n")
                .contains("l.queue IN (#{queue}, …)");
    }

    static int guilty(int one) {
        // snippet:guilty
        return one;
        // /snippet
    }

    static void imported() {
        // snippet:imported
        assertThat(List.of()).isEmpty();
        // /snippet
    }
}
