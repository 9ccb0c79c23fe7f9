package io.acidq.engine.admin;

import io.acidq.store.DeadLetterStore.Letter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * In which order picked letters are replayed. Deaths of one ordering key come in its order, unless one of its letters has been replayed
 * and has died again: so the letters of a key share their places among themselves by the order in which they were enqueued.
 */
final class ReplayOrder {

    /** As the store orders them within one transaction: times of equal microseconds are those of one statement, whose uids rise. */
    private static final Comparator<Letter> BY_ENQUEUE_TIME =
            Comparator.comparing(Letter::enqueuedAt).thenComparing(Letter::uid, ReplayOrder::compareAsBytes);

    private ReplayOrder() {}

    static List<Letter> of(List<Letter> byDeath) {
        Map<String, List<Integer>> places = IntStream.range(0, byDeath.size())
                .boxed()
                .filter(i -> !byDeath.get(i).orderKey().isEmpty())
                .collect(
                        Collectors.groupingBy(i -> byDeath.get(i).orderKey(), LinkedHashMap::new, Collectors.toList()));
        List<Letter> ordered = new ArrayList<>(byDeath);
        for (List<Integer> ofKey : places.values()) {
            List<Letter> letters =
                    ofKey.stream().map(byDeath::get).sorted(BY_ENQUEUE_TIME).toList();
            for (int i = 0; i < letters.size(); i++) {
                ordered.set(ofKey.get(i), letters.get(i));
            }
        }
        return ordered;
    }

    /** UUID.compareTo takes its halves for signed numbers, the database compares bytes. */
    private static int compareAsBytes(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }
}
