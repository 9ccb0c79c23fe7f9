package io.acidq.engine.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.DeadLetterStore.Letter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReplayOrderTest {

    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void keepsTheOrderOfDeathsWithoutOrderingKeys() {
        List<Letter> letters = List.of(deadLetter(1, "", 9, 1), deadLetter(2, "", 5, 2), deadLetter(3, "", 7, 3));

        assertThat(ReplayOrder.of(letters)).isEqualTo(letters);
    }

    @Test
    void letsTheLettersOfAKeyShareTheirPlacesInTheOrderInWhichTheyWereEnqueued() {
        Letter second = deadLetter(1, "k", 2, 1);
        Letter other = deadLetter(2, "l", 9, 2);
        Letter third = deadLetter(3, "k", 3, 3);
        Letter none = deadLetter(4, "", 0, 4);
        Letter first = deadLetter(5, "k", 1, 5); // had been replayed, and died again

        assertThat(ReplayOrder.of(List.of(second, other, third, none, first)))
                .containsExactly(first, other, second, none, third);
    }

    @Test
    void ordersThoseOfOneStatementByTheBytesOfTheirNumbers() {
        Letter high = deadLetter(1, "k", 1, Long.MIN_VALUE);
        Letter low = deadLetter(2, "k", 1, Long.MAX_VALUE);

        assertThat(ReplayOrder.of(List.of(high, low))).containsExactly(low, high);
    }

    private static Letter deadLetter(int died, String orderKey, int enqueued, long number) {
        return new Letter(
                TIME.plusSeconds(died), new UUID(0x7000, number), 0, orderKey, TIME.plusSeconds(enqueued), 10, 0);
    }
}
