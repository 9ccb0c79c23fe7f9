package io.acidq.mybatis.store;

import io.acidq.store.Claim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Claims as one statement after the other takes them: each of one lane, all in order of the primary key. */
final class ClaimPieces {

    private static final int MOST = 500;
    private static final Comparator<Claim> BY_PRIMARY_KEY =
            Comparator.comparingInt(Claim::queue).thenComparingInt(Claim::lane).thenComparingLong(Claim::id);

    private ClaimPieces() {}

    static List<List<Claim>> of(Collection<Claim> claims) {
        List<Claim> sorted = claims.stream().sorted(BY_PRIMARY_KEY).toList();
        List<List<Claim>> pieces = new ArrayList<>();
        for (int from = 0; from < sorted.size(); ) {
            int end = from + 1;
            while (end < sorted.size() && end - from < MOST && isSameLane(sorted.get(from), sorted.get(end))) {
                end++;
            }
            pieces.add(sorted.subList(from, end));
            from = end;
        }
        return pieces;
    }

    private static boolean isSameLane(Claim one, Claim other) {
        return one.queue() == other.queue() && one.lane() == other.lane();
    }
}
