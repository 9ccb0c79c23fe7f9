package io.acidq.mybatis.store;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How many handlers a node may run, as its column holds it: {@code queue:workers,queue:workers}. */
final class WorkersColumn {

    private WorkersColumn() {}

    static String write(Map<Integer, Integer> workers) {
        return new TreeMap<>(workers)
                .entrySet().stream().map(e -> e.getKey() + ":" + e.getValue()).collect(Collectors.joining(","));
    }

    static Map<Integer, Integer> read(@Nullable String text) {
        Map<Integer, Integer> workers = new HashMap<>();
        if (text != null && !text.isEmpty()) {
            for (String pair : text.split(",", -1)) {
                int colon = pair.indexOf(':');
                workers.put(Integer.parseInt(pair, 0, colon, 10), Integer.parseInt(pair, colon + 1, pair.length(), 10));
            }
        }
        return workers;
    }
}
