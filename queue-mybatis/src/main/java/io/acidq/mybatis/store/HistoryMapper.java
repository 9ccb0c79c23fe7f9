package io.acidq.mybatis.store;

import io.acidq.store.HistoryStore.StoredPoint;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the history. */
interface HistoryMapper {

    Instant now();

    int add(
            @Param("rows") List<NewSlot> rows,
            @Param("counts") List<String> counts,
            @Param("gauges") List<String> gauges);

    List<StoredPoint> points(HistoryQuery query);

    List<StoredPoint> sums(HistoryQuery query);

    List<Slot> lockOld(@Param("step") int step, @Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int delete(Slot slot);

    /**
     * Numbers that are added to a slot.
     *
     * @param counts the counts in the order of their columns
     * @param gauges the gauges in the order of their columns; null where they were not counted
     */
    record NewSlot(int step, int queue, Instant at, List<Long> counts, List<@Nullable Long> gauges) {}

    /**
     * Which slots are read.
     *
     * @param counts the names of the columns
     * @param gauges the names of the columns
     */
    record HistoryQuery(
            int step,
            Collection<Integer> queues,
            Instant from,
            Instant until,
            List<String> counts,
            List<String> gauges) {}

    /** The primary key of a slot. */
    record Slot(int step, int queue, Instant at) {}
}
