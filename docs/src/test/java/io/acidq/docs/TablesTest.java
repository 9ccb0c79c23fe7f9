package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A table is read across: what needs three sentences is a paragraph or a list. */
class TablesTest {

    @ParameterizedTest
    @MethodSource("pages")
    void holdsNoCellWithThreeSentences(Path page) {
        assertThat(longCells(Project.text(page))).as("cells of " + page).isEmpty();
    }

    @Test
    void catchesACellWithThreeSentences() {
        assertThat(longCells("| a | b |\n|---|---|\n| One. Two. | `x.y`. Two. [Three](c.md). |\n"))
                .containsExactly("`x.y`. Two. [Three](c.md).");
    }

    static List<Path> pages() {
        return Project.pages();
    }

    private static List<String> longCells(String page) {
        return page.replaceAll("(?s)```.*?```", "")
                .lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> Arrays.stream(line.split("(?<!\\\\)\\|")))
                .map(String::strip)
                .filter(cell -> sentences(cell) > 2)
                .toList();
    }

    private static long sentences(String cell) {
        String text = cell.replaceAll("`[^`]*`", "X").replaceAll("\\]\\([^)]*\\)", "]");
        return Stream.of(text.split("(?<=[.!?])\\s+(?=[A-Z\\[])"))
                .filter(s -> s.length() > 1)
                .count();
    }
}
