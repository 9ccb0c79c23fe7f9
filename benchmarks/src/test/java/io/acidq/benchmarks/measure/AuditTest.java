package io.acidq.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuditTest {

    @Test
    void whatIsNeitherDoneNorThereIsLost() {
        Audit audit = new Audit(10, 6, 6, 3, true);

        assertThat(audit.lost()).isEqualTo(1);
        assertThat(audit.doubled()).isZero();
    }

    @Test
    void aSecondEffectIsDoubledAndHidesNoLoss() {
        Audit audit = new Audit(10, 10, 9, 0, true);

        assertThat(audit.lost()).isEqualTo(1);
        assertThat(audit.doubled()).isEqualTo(1);
    }

    @Test
    void whatIsDoneAndStillThereWouldBeDoubled() {
        assertThat(new Audit(10, 10, 10, 2, true).doubled()).isEqualTo(2);
    }

    @Test
    void whatIsPlacedIsToBeThereOnce() {
        assertThat(Audit.ofPlaced(10, 10).lost()).isZero();
        assertThat(Audit.ofPlaced(10, 10).doubled()).isZero();
        assertThat(Audit.ofPlaced(10, 9).lost()).isEqualTo(1);
        assertThat(Audit.ofPlaced(10, 11).doubled()).isEqualTo(1);
    }
}
