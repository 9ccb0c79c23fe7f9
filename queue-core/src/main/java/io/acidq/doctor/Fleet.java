package io.acidq.doctor;

import io.acidq.store.BrowseStore.LivingNode;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The nodes that count as living, watched once in an examination until each has beaten, or for as long as the patience lasts. */
final class Fleet {

    private static final int MOST_NODES = 1_000;
    private static final long LOOK_MILLIS = 250;

    private final Store store;
    private final Duration patience;
    private @Nullable List<LivingNode> counted;
    private final Map<Integer, Long> first = new HashMap<>();
    private final Map<Integer, Long> last = new HashMap<>();

    Fleet(Store store, Duration patience) {
        this.store = store;
        this.patience = patience;
    }

    /** Those whose rows say that they live. */
    List<LivingNode> counted() {
        List<LivingNode> known = counted;
        if (known == null) {
            known = store.browse().living(MOST_NODES);
            counted = known;
            watch(known);
        }
        return known;
    }

    /** Those that have not beaten while they were watched; none when they were not. */
    List<LivingNode> silent() {
        return patience.isZero()
                ? List.of()
                : counted().stream().filter(n -> !hasBeaten(n.node())).toList();
    }

    /** Those that live. */
    List<LivingNode> living() {
        List<LivingNode> silent = silent();
        return counted().stream().filter(n -> !silent.contains(n)).toList();
    }

    private void watch(List<LivingNode> nodes) {
        nodes.forEach(n -> first.put(n.node(), n.beats()));
        long began = System.nanoTime();
        try {
            while (nodes.stream().anyMatch(n -> !hasBeaten(n.node()))
                    && System.nanoTime() - began < patience.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                store.browse().living(MOST_NODES).forEach(n -> last.put(n.node(), n.beats()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasBeaten(int node) {
        Long before = first.get(node);
        Long after = last.get(node);
        return before != null && after != null && after > before;
    }
}
