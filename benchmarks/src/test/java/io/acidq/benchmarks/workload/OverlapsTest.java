package io.acidq.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.benchmarks.workload.OrderingKeys.Overlaps;
import org.junit.jupiter.api.Test;

class OverlapsTest {

    /** Messages 0 to 9 have the key k0, 10 to 19 have k1, and those from 100 on have none. */
    private final Overlaps overlaps = new Overlaps(id -> id < 100 ? "k" + id / 10 : null);

    @Test
    void handlersOneAfterTheOtherDoNotOverlap() {
        overlaps.onStart(1);
        overlaps.onEnd(1);
        overlaps.onStart(2);
        overlaps.onEnd(2);

        assertThat(overlaps.count()).isZero();
    }

    @Test
    void messagesOfOtherKeysAndWithoutAKeyMayOverlap() {
        overlaps.onStart(1);
        overlaps.onStart(11);
        overlaps.onStart(100);
        overlaps.onStart(101);

        assertThat(overlaps.count()).isZero();
    }

    @Test
    void countsEachHandlerThatStartsWhileAnotherOfItsKeyRuns() {
        overlaps.onStart(1);
        overlaps.onStart(2);
        overlaps.onEnd(1);
        overlaps.onStart(3);
        overlaps.onEnd(2);
        overlaps.onEnd(3);
        overlaps.onStart(4);

        assertThat(overlaps.count()).isEqualTo(2);
    }
}
