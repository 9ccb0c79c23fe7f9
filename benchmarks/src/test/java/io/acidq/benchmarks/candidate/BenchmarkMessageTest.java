package io.acidq.benchmarks.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkMessageTest {

    @Test
    void theIdIsReadFromTheText() {
        BenchmarkMessage benchmarkMessage = BenchmarkMessage.of(12_345_678, 200);

        assertThat(benchmarkMessage.text()).hasSize(200).startsWith("000012345678x");
        assertThat(BenchmarkMessage.idOf(benchmarkMessage.text())).isEqualTo(12_345_678);
        assertThat(BenchmarkMessage.of(5, 12).text()).isEqualTo("000000000005");
    }

    @Test
    void aTextOfAnotherLetterIsRefused() {
        String other = BenchmarkMessage.of(2, 20).text();

        assertThatThrownBy(() -> new BenchmarkMessage(1, other, 0, null, null)).hasMessageContaining("letter 2");
    }

    @Test
    void aStockEndsWhereItEnds() {
        Backlog backlog = new Backlog(5, id -> BenchmarkMessage.of(id, 20));

        assertThat(ids(backlog.part(0, 3))).containsExactly(0L, 1L, 2L);
        assertThat(ids(backlog.part(3, 3))).containsExactly(3L, 4L);
    }

    private static List<Long> ids(List<BenchmarkMessage> benchmarkMessages) {
        return benchmarkMessages.stream().map(BenchmarkMessage::id).toList();
    }
}
