package io.acidq.mybatis.store;

import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.ClaimStore.Budget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which rows at the head of a lane can be claimed. A claimed row closes its ordering key for all other rows, including earlier ones, because their
 * transactions may have committed after the claim. A row that is not due yet, or a marker, closes the key for later rows. A suspect is claimed alone.
 *
 * @param taken       the rows to claim, in order
 * @param closed      the ordering keys of which no further message can be claimed now
 * @param hasLeftover whether there are unclaimed rows that are not taken
 * @param nextDue     microseconds until the first waiting row is due, or null
 * @param markers     the refill markers that are first of an open ordering key; the messages behind them must be moved back
 * @param held        the ordering keys that a dead head blocks
 * @param toPark      the blocked keys whose followers must be parked, with the ids of their markers
 */
record HeadScan(
        List<HeadRow> taken,
        Set<String> closed,
        boolean hasLeftover,
        @Nullable Long nextDue,
        List<HeadRow> markers,
        Set<String> held,
        Map<String, Long> toPark) {

    static HeadScan of(List<HeadRow> rows, Budget budget) {
        List<HeadRow> taken = new ArrayList<>();
        Set<String> closed = runningKeys(rows);
        Map<String, Integer> perKey = new HashMap<>();
        Long nextDue = null;
        MarkerCollector markerCollector =
                new MarkerCollector(new ArrayList<>(), new HashSet<>(), new HashMap<>(), new HashMap<>());
        for (HeadRow row : rows) {
            if (taken.size() == budget.messages()
                    || (!taken.isEmpty() && taken.get(0).isSuspect())) {
                break;
            }
            markerCollector.collect(row, closed);
            if (row.isFree() && row.dueIn() > 0 && (nextDue == null || row.dueIn() < nextDue)) {
                nextDue = row.dueIn();
            }
            boolean open = row.isFree() && row.dueIn() <= 0 && !closed.contains(row.orderingKey());
            if (open && (!row.isSuspect() || (budget.allowsSuspects() && taken.isEmpty()))) {
                taken.add(row);
                if (row.hasOrderingKey() && perKey.merge(row.orderingKey(), 1, Integer::sum) == budget.perKey()) {
                    closed.add(row.orderingKey());
                }
            } else if (row.hasOrderingKey()) {
                closed.add(row.orderingKey());
            }
        }
        long unclaimed = rows.stream().filter(r -> r.owner() == 0).count();
        return new HeadScan(
                taken,
                closed,
                taken.size() < unclaimed,
                nextDue,
                markerCollector.markers,
                markerCollector.held,
                markerCollector.toPark);
    }

    private static Set<String> runningKeys(List<HeadRow> rows) {
        Set<String> running = new HashSet<>();
        rows.stream().filter(r -> r.owner() != 0 && r.hasOrderingKey()).forEach(r -> running.add(r.orderingKey()));
        return running;
    }

    /** Collects the markers during the scan. */
    private record MarkerCollector(
            List<HeadRow> markers, Set<String> held, Map<String, Long> parking, Map<String, Long> toPark) {

        void collect(HeadRow row, Set<String> closed) {
            if (row.kind() == HeadRow.REFILL && !closed.contains(row.orderingKey())) {
                markers.add(row);
            } else if (row.isHold()) {
                held.add(row.orderingKey());
                if (row.kind() == HeadRow.HOLD_AND_PARK) {
                    parking.putIfAbsent(row.orderingKey(), row.id());
                }
            } else if (row.isFree() && parking.containsKey(row.orderingKey())) {
                toPark.put(row.orderingKey(), parking.getOrDefault(row.orderingKey(), 0L));
            }
        }
    }

    /** Returns the taken rows except those of the given ordering keys. */
    List<HeadRow> takenWithout(Set<String> keys) {
        return taken.stream().filter(r -> !keys.contains(r.orderingKey())).toList();
    }
}
