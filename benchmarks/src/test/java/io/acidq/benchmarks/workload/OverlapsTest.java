package io.acidq.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverlapsTest {

    /** Messages 0 to 9 have key 0, 10 to 19 key 1, and those from 100 on none. */
    private final Overlaps overlaps = new Overlaps(id -> id < 100 ? "k" + id / 10 : null);

    @Test
    void oneAfterTheOtherIsNoOverlap() {
        overlaps.begins(1);
        overlaps.ends(1);
        overlaps.begins(2);
        overlaps.ends(2);

        assertThat(overlaps.count()).isZero();
    }

    @Test
    void otherKeysAndNoneMayRunBesides() {
        overlaps.begins(1);
        overlaps.begins(11);
        overlaps.begins(100);
        overlaps.begins(101);

        assertThat(overlaps.count()).isZero();
    }

    @Test
    void eachThatBeginsWhileAnotherOfItsKeyRunsIsCounted() {
        overlaps.begins(1);
        overlaps.begins(2);
        overlaps.ends(1);
        overlaps.begins(3);
        overlaps.ends(2);
        overlaps.ends(3);
        overlaps.begins(4);

        assertThat(overlaps.count()).isEqualTo(2);
    }
}
