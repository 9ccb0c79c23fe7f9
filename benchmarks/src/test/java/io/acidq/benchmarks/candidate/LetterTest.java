package io.acidq.benchmarks.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LetterTest {

    @Test
    void theIdIsReadFromTheText() {
        Letter letter = Letter.of(12_345_678, 200);

        assertThat(letter.text()).hasSize(200).startsWith("000012345678x");
        assertThat(Letter.idOf(letter.text())).isEqualTo(12_345_678);
        assertThat(Letter.of(5, 12).text()).isEqualTo("000000000005");
    }

    @Test
    void aTextOfAnotherLetterIsRefused() {
        String other = Letter.of(2, 20).text();

        assertThatThrownBy(() -> new Letter(1, other, 0, null, null)).hasMessageContaining("letter 2");
    }

    @Test
    void aStockEndsWhereItEnds() {
        Stock stock = new Stock(5, id -> Letter.of(id, 20));

        assertThat(ids(stock.part(0, 3))).containsExactly(0L, 1L, 2L);
        assertThat(ids(stock.part(3, 3))).containsExactly(3L, 4L);
    }

    private static List<Long> ids(List<Letter> letters) {
        return letters.stream().map(Letter::id).toList();
    }
}
