package io.acidq.engine.enqueue;

import io.acidq.Enqueued;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.MessageRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Takes the keys of many messages, none of which may replace another. A key that is taken is only looked at. */
final class FreeKeys {

    private final EnqueueStore store;
    private final Map<String, KeyHolder> holders = new HashMap<>();

    FreeKeys(EnqueueStore store) {
        this.store = store;
    }

    Settled settle(List<Offer> offers) {
        take(offers);
        List<Enqueued> results = new ArrayList<>();
        List<MessageRow> rows = new ArrayList<>();
        for (Offer offer : offers) {
            KeyHolder holder = offer.hasKey() ? holders.get(offer.key()) : null;
            if (holder != null && !holder.uid().equals(offer.row().uid())) {
                results.add(offer.refusedBy(holder));
            } else {
                results.add(offer.enqueued());
                rows.add(offer.row());
            }
        }
        return new Settled(results, rows, List.of());
    }

    /** In order of the keys: two bulks with the same keys then wait for each other and do not deadlock. */
    private void take(List<Offer> offers) {
        Map<String, Offer> first = new HashMap<>();
        offers.stream().filter(Offer::hasKey).forEach(o -> first.putIfAbsent(o.key(), o));
        List<Offer> sorted =
                first.values().stream().sorted(Comparator.comparing(Offer::key)).toList();
        List<Optional<KeyHolder>> answers =
                store.takeKeys(sorted.stream().map(Offer::claim).toList());
        for (int i = 0; i < sorted.size(); i++) {
            Offer offer = sorted.get(i);
            KeyHolder itself = new KeyHolder(offer.row().uid(), offer.row().lane());
            holders.put(offer.key(), answers.get(i).orElse(itself));
        }
    }
}
