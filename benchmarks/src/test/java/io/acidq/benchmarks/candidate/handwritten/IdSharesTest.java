package io.acidq.benchmarks.candidate.handwritten;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.benchmarks.candidate.handwritten.HandWritten.IdShares;
import io.acidq.benchmarks.candidate.handwritten.HandWritten.IdShares.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdSharesTest {

    @Test
    void eachIdIsInOneShareAndInOrder() {
        for (int unit : new int[] {1, 50, 700}) {
            long next = 7;
            for (Share share : all(new IdShares(7, 20_013, 16, unit))) {
                assertThat(share.first()).as("unit " + unit).isEqualTo(next);
                assertThat(share.end()).isGreaterThan(next);
                next = share.end();
            }
            assertThat(next).as("unit " + unit).isEqualTo(20_013);
        }
        assertThat(all(new IdShares(0, 0, 16, 1))).isEmpty();
    }

    @Test
    void theLastSharesAreSmall() {
        List<Share> shares = all(new IdShares(0, 20_000, 16, 1));

        assertThat(shares.get(0)).isEqualTo(new Share(0, 500));
        assertThat(shares.subList(shares.size() - 16, shares.size()))
                .allSatisfy(share -> assertThat(share.end() - share.first()).isEqualTo(1));
    }

    @Test
    void sharesAreWholeTransactions() {
        List<Share> shares = all(new IdShares(0, 20_020, 16, 50));

        assertThat(shares.subList(0, shares.size() - 1))
                .allSatisfy(
                        share -> assertThat((share.end() - share.first()) % 50).isZero());
        assertThat(shares.get(shares.size() - 1)).isEqualTo(new Share(20_000, 20_020));
    }

    private static List<Share> all(IdShares idShares) {
        List<Share> all = new ArrayList<>();
        for (Share share = idShares.take(); share != null; share = idShares.take()) {
            all.add(share);
        }
        return all;
    }
}
