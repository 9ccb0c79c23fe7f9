package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.ScheduleMapper.DueRow;
import io.acidq.store.Lane;
import io.acidq.store.ScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Moves due messages into the hot table. */
public final class MyBatisScheduleStore implements ScheduleStore {

    private static final int PIECE = 500;

    /** When what is due could not be moved: another mover is at it. */
    private static final Duration ANOTHER_MOVES = Duration.ofMillis(20);

    private final StoreTransactions transactions;

    public MyBatisScheduleStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Moved moveDue() {
        Long first = nextDueMicros(); // mostly all there is to do
        if (first == null || first > 0) {
            return new Moved(List.of(), Micros.duration(first));
        }
        List<Integer> queues =
                transactions.read("moveDue", t -> t.mapper(ScheduleMapper.class).queuesDue(PIECE));
        List<Lane> lanes = new ArrayList<>();
        for (int queue : queues) {
            lanes.addAll(transactions.often("moveDue", t -> move(t, queue)));
        }
        Long next = nextDueMicros();
        if (next != null && next <= 0) {
            return new Moved(lanes, lanes.isEmpty() ? ANOTHER_MOVES : Duration.ZERO);
        }
        return new Moved(lanes, Micros.duration(next));
    }

    private @Nullable Long nextDueMicros() {
        return transactions.<@Nullable Long>read(
                "moveDue", t -> t.mapper(ScheduleMapper.class).nextDueMicros());
    }

    private static Set<Lane> move(StoreTransaction transaction, int queue) {
        ScheduleMapper mapper = transaction.mapper(ScheduleMapper.class);
        if (mapper.lockQueue(queue) == null) {
            transaction.rollBack();
            return Set.of();
        }
        List<DueRow> rows = lock(mapper, mapper.pickDue(queue, PIECE));
        if (rows.isEmpty() || !moveAll(transaction, rows)) {
            transaction.rollBack();
            return Set.of();
        }
        Set<Lane> lanes = new HashSet<>();
        rows.forEach(r -> lanes.add(new Lane(queue, r.lane())));
        return lanes;
    }

    private static boolean moveAll(StoreTransaction transaction, List<DueRow> rows) {
        return transaction.mapper(ScheduleMapper.class).copyToHot(ids(rows)) == rows.size()
                && transaction.batch(ScheduleMapper.class, m -> rows.forEach(m::deleteMoved)) == rows.size();
    }

    /** Rows that somebody changes just now stay, and with them the later ones of their ordering keys. */
    private static List<DueRow> lock(ScheduleMapper mapper, List<DueRow> rows) {
        if (rows.isEmpty()) {
            return rows;
        }
        Set<DueRow> locked = new HashSet<>(mapper.lockDue(ids(rows)));
        Set<String> stay = new HashSet<>();
        List<DueRow> got = new ArrayList<>();
        for (DueRow row : rows) {
            if (locked.contains(row) && !stay.contains(row.orderKey())) {
                got.add(row);
            } else if (!row.orderKey().isEmpty()) {
                stay.add(row.orderKey());
            }
        }
        return got;
    }

    private static List<Long> ids(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).toList();
    }
}
