package io.acidq.benchmarks.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkMessageTest {

    @Test
    void theIdIsReadFromTheText() {
        BenchmarkMessage message = BenchmarkMessage.of(12_345_678, 200);

        assertThat(message.text()).hasSize(200).startsWith("000012345678x");
        assertThat(BenchmarkMessage.idOf(message.text())).isEqualTo(12_345_678);
        assertThat(BenchmarkMessage.of(5, 12).text()).isEqualTo("000000000005");
    }

    @Test
    void refusesTheTextOfAnotherMessage() {
        String other = BenchmarkMessage.of(2, 20).text();

        assertThatThrownBy(() -> new BenchmarkMessage(1, other, 0, null, null, 0))
                .hasMessageContaining("message 2");
    }

    @Test
    void theLastPartOfABacklogIsShorter() {
        Backlog backlog = new Backlog(5, id -> BenchmarkMessage.of(id, 20));

        assertThat(ids(backlog.part(0, 3))).containsExactly(0L, 1L, 2L);
        assertThat(ids(backlog.part(3, 3))).containsExactly(3L, 4L);
    }

    private static List<Long> ids(List<BenchmarkMessage> messages) {
        return messages.stream().map(BenchmarkMessage::id).toList();
    }
}
