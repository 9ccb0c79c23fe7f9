package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.workload.BacklogWorkloads.BacklogRun;
import io.acidq.benchmarks.workload.Scenario.ScenarioSize;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A backlog with ordering keys: few, many, uneven, and one whose first message fails twice. Counts effects that are out of order and handlers of
 * one key that overlap.
 */
final class OrderingKeys {
    static final int FEW = 100;
    static final int MANY = 100_000;
    private static final int FAILURES = 2;

    private OrderingKeys() {}

    static List<Scenario> scenarios(RunSizes runSizes) {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(scenario(runSizes, "no-keys", 0, plain(id -> null)));
        LongStream.of(1, FEW, MANY)
                .map(keys -> Math.min(keys, runSizes.messages()))
                .distinct()
                .forEach(keys -> scenarios.add(scenario(runSizes, "keys-" + keys, keys, plain(id -> "k" + id % keys))));
        scenarios.add(scenario(
                runSizes, "half-on-one", 1 + runSizes.messages() / 2, plain(id -> id % 2 == 0 ? "k" : "k" + id)));
        scenarios.add(scenario(
                runSizes,
                "failing-head",
                Math.min(FEW, runSizes.messages()),
                benchmarkRun -> run(benchmarkRun, id -> "k" + id % FEW, OrderingKeys::failingHead)));
        return scenarios;
    }

    private static Scenario scenario(RunSizes runSizes, String name, long keys, Scenario.Procedure procedure) {
        Set<Capability> needs = Set.of(Capability.BACKLOG, Capability.ORDERED);
        ScenarioSize scenarioSize = runSizes.ofMessages().and("keys", keys);
        return new Scenario(name, needs, runSizes.workersOnly(), scenarioSize, Metric.RATE, procedure);
    }

    private static Scenario.Procedure plain(KeyFunction keyFunction) {
        return benchmarkRun -> run(
                benchmarkRun,
                keyFunction,
                handlerListener -> new HandlerLog.HandlerBehaviour(handlerListener, id -> {}, id -> true, false));
    }

    /** The first message of one key fails. The rate is that of the other keys. */
    private static HandlerLog.HandlerBehaviour failingHead(HandlerLog.HandlerListener handlerListener) {
        AtomicInteger failures = new AtomicInteger();
        return new HandlerLog.HandlerBehaviour(
                handlerListener,
                id -> {
                    if (id == 0 && failures.getAndIncrement() < FAILURES) {
                        throw new IllegalStateException("the first message of its key fails " + FAILURES + " times");
                    }
                },
                id -> id % FEW != 0,
                false);
    }

    private static RunFigures run(
            BenchmarkRun benchmarkRun,
            KeyFunction keyFunction,
            Function<HandlerLog.HandlerListener, HandlerLog.HandlerBehaviour> behaviour)
            throws Exception {
        Overlaps overlaps = new Overlaps(keyFunction);
        Backlog backlog = new Backlog(
                benchmarkRun.sizes().messages(),
                id -> benchmarkRun.sizes().message(id).withOrderingKey(keyFunction.apply(id)));
        RunFigures figures = new BacklogRun(backlog, backlog.count(), behaviour.apply(overlaps)).run(benchmarkRun);
        return figures.with(
                "outOfOrder", (double) (outOfOrder(benchmarkRun.inspection(), keyFunction) + overlaps.count()));
    }

    /** Counts effects that follow the effect of a later message of their key. */
    private static long outOfOrder(Connection connection, KeyFunction keyFunction) throws SQLException {
        Map<String, Long> last = new HashMap<>();
        long wrong = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT letter FROM bench_effect ORDER BY id")) {
            while (rows.next()) {
                long id = rows.getLong(1);
                String key = keyFunction.apply(id);
                if (key != null && last.merge(key, id, Math::max) > id) {
                    wrong++;
                }
            }
        }
        return wrong;
    }

    /** The ordering key of each message. */
    private interface KeyFunction extends LongFunction<@Nullable String> {}

    /**
     * Counts handlers of this process that start while another one of their ordering key runs, because their effects may be in order by chance.
     * Thread-safe.
     */
    static final class Overlaps implements HandlerLog.HandlerListener {

        private final LongFunction<@Nullable String> keys;
        private final ConcurrentMap<String, Integer> running = new ConcurrentHashMap<>();
        private final AtomicLong count = new AtomicLong();

        /**
         * Counts for messages with these keys.
         *
         * @param keys the key of each message, or null
         */
        Overlaps(LongFunction<@Nullable String> keys) {
            this.keys = keys;
        }

        @Override
        public void onStart(long id) {
            String key = keys.apply(id);
            if (key != null && running.merge(key, 1, Integer::sum) > 1) {
                count.incrementAndGet();
            }
        }

        @Override
        public void onEnd(long id) {
            String key = keys.apply(id);
            if (key != null) {
                running.computeIfPresent(key, (its, handlers) -> handlers == 1 ? null : handlers - 1);
            }
        }

        long count() {
            return count.get();
        }
    }
}
