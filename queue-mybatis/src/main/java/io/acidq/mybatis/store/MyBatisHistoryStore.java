package io.acidq.mybatis.store;

import io.acidq.admin.History;
import io.acidq.admin.History.Gauges;
import io.acidq.admin.History.Histogram;
import io.acidq.admin.History.HistoryPoint;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import io.acidq.mybatis.store.HistoryMapper.HistoryQuery;
import io.acidq.mybatis.store.HistoryMapper.NewSlot;
import io.acidq.mybatis.store.HistoryMapper.Slot;
import io.acidq.mybatis.store.InspectionMapper.LivingNodeRow;
import io.acidq.store.HistoryStore;
import io.acidq.store.InspectionStore.Counts;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.MaintenanceStore.Pruned;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes the history. */
public final class MyBatisHistoryStore implements HistoryStore {

    static final List<String> COUNTS = Stream.of(
                    Arrays.stream(Count.values()).map(count -> count.name().toLowerCase(Locale.ROOT)),
                    IntStream.range(0, Histogram.BUCKETS).mapToObj(i -> "run" + i),
                    IntStream.range(0, Histogram.BUCKETS).mapToObj(i -> "lag" + i))
            .flatMap(Function.identity())
            .toList();
    static final List<String> GAUGES = List.of("ready", "waiting", "scheduled", "dead_now", "oldest_micros");

    /** The rows of one INSERT. Each row has about sixty parameters. */
    private static final int ROWS_PER_STATEMENT = 50;

    private static final int MAX_NODES = 10_000;

    private final StoreTransactions transactions;

    public MyBatisHistoryStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public boolean add(Duration ago, List<QueueNumbers> numbers) {
        AtomicBoolean reachedCommit = new AtomicBoolean();
        try {
            return transactions.runInTurn("addHistory", t -> {
                reachedCommit.set(false);
                HistoryMapper mapper = t.mapper(HistoryMapper.class);
                List<NewSlot> slots = slots(mapper.now().minus(ago), numbers);
                for (int from = 0; from < slots.size(); from += ROWS_PER_STATEMENT) {
                    mapper.add(slots.subList(from, Math.min(slots.size(), from + ROWS_PER_STATEMENT)), COUNTS, GAUGES);
                }
                reachedCommit.set(true);
                return true;
            });
        } catch (RuntimeException e) {
            if (reachedCommit.get()) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the rows in the order of the primary key. */
    private static List<NewSlot> slots(Instant at, List<QueueNumbers> numbers) {
        List<QueueNumbers> sorted = new ArrayList<>(numbers);
        sorted.sort(Comparator.comparingInt(QueueNumbers::queue));
        List<NewSlot> slots = new ArrayList<>();
        for (int step : STEPS) {
            long seconds = 60L * step;
            Instant start = Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
            sorted.forEach(
                    each -> slots.add(new NewSlot(step, each.queue(), start, each.counts(), columns(each.gauges()))));
        }
        return slots;
    }

    private static List<@Nullable Long> columns(@Nullable Gauges gauges) {
        return gauges == null
                ? Arrays.asList(null, null, null, null, null)
                : Arrays.asList(
                        gauges.ready(),
                        gauges.waiting(),
                        gauges.scheduled(),
                        gauges.dead(),
                        Microseconds.of(gauges.oldest()));
    }

    @Override
    public Map<Integer, Gauges> gauges(int node, Collection<Integer> queues) {
        return transactions.readInTurn("gauges", t -> {
            InspectionMapper mapper = t.mapper(InspectionMapper.class);
            List<LivingNode> lower = mapper.livingNodes(MAX_NODES).stream()
                    .map(LivingNodeRow::toLivingNode)
                    .filter(other -> other.node() < node)
                    .toList();
            Map<Integer, Gauges> found = new HashMap<>();
            for (int queue : queues) {
                if (lower.stream().noneMatch(other -> other.workers().containsKey(queue))) {
                    Counts counts = mapper.count(queue, MAX_COUNTED);
                    Duration oldest = Microseconds.duration(mapper.oldestUnclaimed(queue));
                    found.put(queue, gauges(counts, oldest == null ? Duration.ZERO : oldest));
                }
            }
            return found;
        });
    }

    private static Gauges gauges(Counts counts, Duration oldest) {
        return new Gauges(
                Math.min(counts.ready(), MAX_COUNTED),
                Math.min(counts.waiting(), MAX_COUNTED),
                Math.min(counts.scheduled(), MAX_COUNTED),
                Math.min(counts.dead(), MAX_COUNTED),
                oldest);
    }

    @Override
    public List<StoredPoint> sums(int step, Collection<Integer> queues, Instant from, Instant until) {
        return transactions.read("sums", t -> t.mapper(HistoryMapper.class).sums(query(step, queues, from, until)));
    }

    @Override
    public List<StoredPoint> points(int step, Collection<Integer> queues, Instant from, Instant until) {
        return transactions.read("points", t -> t.mapper(HistoryMapper.class).points(query(step, queues, from, until)));
    }

    static HistoryQuery query(int step, Collection<Integer> queues, Instant from, Instant until) {
        return new HistoryQuery(step, queues, from, until, COUNTS, GAUGES);
    }

    @Override
    public Pruned pruneHistory(Duration retention, int limit) {
        return transactions.runInTurn("pruneHistory", t -> {
            List<Slot> old = new ArrayList<>();
            for (int step : STEPS) {
                if (old.size() < limit) {
                    Duration kept = shorter(retention, keptFor(step)).plusMinutes(step);
                    old.addAll(t.mapper(HistoryMapper.class).lockOld(step, -Microseconds.of(kept), limit - old.size()));
                }
            }
            return new Pruned(delete(t, old), old.size() == limit);
        });
    }

    private static int delete(StoreTransaction transaction, List<Slot> old) {
        return old.isEmpty() ? 0 : transaction.batch(HistoryMapper.class, m -> old.forEach(m::delete));
    }

    private static Duration keptFor(int step) {
        return switch (step) {
            case 1 -> History.MINUTES_KEPT;
            case 10 -> History.TEN_MINUTES_KEPT;
            default -> Duration.ofDays(36_500);
        };
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /** Reads a slot by column numbers: the queue, the time, the counts, the gauges. */
    static final class PointHandler extends RowHandler<StoredPoint> {

        private static final int FIRST_COUNT = 3;

        @Override
        public StoredPoint getNullableResult(ResultSet row, int first) throws SQLException {
            List<Long> counts = new ArrayList<>(Count.ALL);
            for (int i = 0; i < Count.ALL; i++) {
                counts.add(row.getLong(FIRST_COUNT + i));
            }
            return new StoredPoint(
                    row.getInt(1),
                    new HistoryPoint(
                            Objects.requireNonNull(TypeHandlers.instant(row, 2)),
                            counts.get(Count.ENQUEUED.place()),
                            counts.get(Count.DONE.place()),
                            counts.get(Count.RETRIED.place()),
                            counts.get(Count.DEAD.place()),
                            counts.get(Count.CANCELLED.place()),
                            counts.get(Count.REQUEUED.place()),
                            counts.get(Count.CRASHED.place()),
                            counts.get(Count.REPLAYED.place()),
                            counts.get(Count.DISCARDED.place()),
                            new Histogram(counts.subList(Count.RUNS, Count.LAGS)),
                            new Histogram(counts.subList(Count.LAGS, Count.ALL)),
                            gauges(row)));
        }

        private static Optional<Gauges> gauges(ResultSet row) throws SQLException {
            int first = FIRST_COUNT + Count.ALL;
            long ready = row.getLong(first);
            return row.wasNull()
                    ? Optional.empty()
                    : Optional.of(new Gauges(
                            ready,
                            row.getLong(first + 1),
                            row.getLong(first + 2),
                            row.getLong(first + 3),
                            Duration.of(row.getLong(first + 4), ChronoUnit.MICROS)));
        }
    }
}
