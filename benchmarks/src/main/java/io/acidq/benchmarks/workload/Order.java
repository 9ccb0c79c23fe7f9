package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A backlog with ordering keys: few, many, uneven, and one whose first message fails twice. Effects out of order are counted, and handlers of one key that overlap. */
final class Order implements Workload {

    private static final int FEW = 100;
    private static final int MANY = 100_000;
    private static final int FAILURES = 2;

    @Override
    public String name() {
        return "order";
    }

    @Override
    public String purpose() {
        return "a backlog with ordering keys is worked off: 1, " + FEW + ", " + MANY
                + " keys (at most one for each message), half on one key, and " + FEW
                + " keys of which one fails at its head";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(scenario(sizes, "no-keys", 0, plain(id -> null)));
        LongStream.of(1, FEW, MANY)
                .map(keys -> Math.min(keys, sizes.messages()))
                .distinct()
                .forEach(keys -> scenarios.add(scenario(sizes, "keys-" + keys, keys, plain(id -> "k" + id % keys))));
        scenarios.add(
                scenario(sizes, "half-on-one", 1 + sizes.messages() / 2, plain(id -> id % 2 == 0 ? "k" : "k" + id)));
        scenarios.add(scenario(
                sizes,
                "failing-head",
                Math.min(FEW, sizes.messages()),
                stage -> run(stage, id -> "k" + id % FEW, Order::failingHead)));
        return scenarios;
    }

    private static Scenario scenario(Sizes sizes, String name, long keys, Scenario.Course course) {
        Set<Ability> needs = Set.of(Ability.BACKLOG, Ability.ORDERED);
        Extent extent = sizes.ofMessages().and("keys", keys);
        return new Scenario(name, needs, sizes.workersOnly(), extent, Metric.RATE, course);
    }

    private static Scenario.Course plain(Keys keys) {
        return stage -> run(stage, keys, watch -> new Tally.Manner(watch, id -> {}, id -> true, false));
    }

    /** The rate is that of the other keys. */
    private static Tally.Manner failingHead(Tally.Watch watch) {
        AtomicInteger failures = new AtomicInteger();
        return new Tally.Manner(
                watch,
                id -> {
                    if (id == 0 && failures.getAndIncrement() < FAILURES) {
                        throw new IllegalStateException("the first message of its key fails " + FAILURES + " times");
                    }
                },
                id -> id % FEW != 0,
                false);
    }

    private static Figures run(Stage stage, Keys keys, Function<Tally.Watch, Tally.Manner> manner) throws Exception {
        Overlaps overlaps = new Overlaps(keys);
        Stock stock = new Stock(
                stage.sizes().messages(), id -> stage.sizes().letter(id).withOrderingKey(keys.apply(id)));
        Figures figures = new WorkOff(stock, stock.count(), manner.apply(overlaps)).run(stage);
        return figures.with("outOfOrder", (double) (outOfOrder(stage.look(), keys) + overlaps.count()));
    }

    /** Effects that came after one of a later message of their key. */
    private static long outOfOrder(Connection connection, Keys keys) throws SQLException {
        Map<String, Long> last = new HashMap<>();
        long wrong = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT letter FROM bench_effect ORDER BY id")) {
            while (rows.next()) {
                long id = rows.getLong(1);
                String key = keys.apply(id);
                if (key != null && last.merge(key, id, Math::max) > id) {
                    wrong++;
                }
            }
        }
        return wrong;
    }

    /** The ordering key of each message. */
    private interface Keys extends LongFunction<@Nullable String> {}
}
