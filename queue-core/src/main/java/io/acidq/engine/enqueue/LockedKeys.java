package io.acidq.engine.enqueue;

import io.acidq.Enqueued;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.MessageRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settles messages of which some may replace the holders of their keys: locks the rows of all keys, in order, and decides by what is
 * there now. Nobody else changes a holder that waits for its due time meanwhile but the mover, and that not before the due time.
 */
final class LockedKeys {

    private final EnqueueStore store;

    LockedKeys(EnqueueStore store) {
        this.store = store;
    }

    Settled settle(List<Offer> offers) {
        @Nullable Enqueued[] results = new Enqueued[offers.size()];
        @Nullable MessageRow[] rows = new MessageRow[offers.size()];
        Map<String, List<Offer>> byKey = new TreeMap<>();
        for (Offer offer : offers) {
            if (offer.hasKey()) {
                byKey.computeIfAbsent(offer.key(), k -> new ArrayList<>()).add(offer);
            } else {
                results[offer.at()] = offer.enqueued();
                rows[offer.at()] = offer.row();
            }
        }
        List<KeyWrite> writes = new ArrayList<>();
        for (KeyState found : lock(byKey)) {
            KeyFold fold = fold(found, byKey.getOrDefault(found.key(), List.of()));
            results(fold, results);
            fold.rows().forEach((at, row) -> rows[at] = row);
            fold.write().ifPresent(writes::add);
        }
        return new Settled(present(results), present(rows), writes);
    }

    private List<KeyState> lock(Map<String, List<Offer>> byKey) {
        return store.lockKeys(
                byKey.values().stream().map(offers -> offers.get(0).claim()).toList());
    }

    /** A holder that is not where its due time says (somebody has removed or moved it by hand) gets a successor. */
    private KeyFold fold(KeyState found, List<Offer> offers) {
        KeyFold fold = KeyFold.over(found, offers);
        MessageRow replacement = fold.replacement();
        return replacement == null || store.replaceIfScheduled(found, replacement)
                ? fold
                : KeyFold.over(KeyFold.asDue(found), offers);
    }

    private static void results(KeyFold fold, @Nullable Enqueued[] results) {
        fold.results().forEach((at, result) -> results[at] = result);
    }

    private static <T> List<T> present(@Nullable T[] some) {
        List<T> all = new ArrayList<>();
        Arrays.stream(some).filter(s -> s != null).forEach(all::add);
        return all;
    }
}
