package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.EpochClock;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Queues that have been used have nothing to do: what that costs, and how long the first message afterwards waits. */
final class Idle implements Workload {

    private static final int MANY = 20;
    private static final int SETTLE_SECONDS = 3;

    /** The letter that ends the idling: another process begins with this number. */
    private static final int FIRST = 0;

    /** The other process lives for a second more, so that its end is not in the way of the first letter. */
    private static final int PLACED = 2;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String purpose() {
        return "1 queue, and " + MANY
                + ", have nothing to do for --seconds; then one message comes, from this or another process";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        Set<Ability> one = Set.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE);
        Set<Ability> many = Set.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE, Ability.MANY_QUEUES);
        Set<Ability> other =
                Set.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE, Ability.MANY_QUEUES, Ability.FROM_AFAR);
        String name = "queues-" + MANY;
        return List.of(
                scenario(sizes, "queues-1", 1, one, Idle::placeHere),
                scenario(sizes, name, MANY, many, Idle::placeHere),
                scenario(sizes, name + "-other-process", MANY, other, Idle::placeElsewhere));
    }

    /** Places the letter {@link #FIRST} and says when its COMMIT had returned. */
    @FunctionalInterface
    private interface Placing {
        long place(Stage stage) throws Exception;
    }

    private static Scenario scenario(Sizes sizes, String name, int queues, Set<Ability> needs, Placing placing) {
        return new Scenario(
                name,
                needs,
                new Crew(sizes.workers(), 1, queues),
                Extent.of("messages", (long) queues + PLACED)
                        .and("seconds", sizes.flow().seconds()),
                Metric.QUERIES,
                stage -> run(stage, queues, placing));
    }

    private static Figures run(Stage stage, int queues, Placing placing) throws Exception {
        long letters = (long) queues + PLACED;
        Tally tally = stage.tally(letters, Tally.Manner.TIMED);
        Sizes sizes = stage.sizes();
        stage.bench().fill(new Stock(queues, each -> sizes.letter(PLACED + each).inQueue((int) each)));
        stage.connect();
        stage.bench().start(sizes.workers(), tally);
        boolean ready = stage.await(tally, queues);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        Meter meter = stage.meter();
        TimeUnit.SECONDS.sleep(sizes.flow().seconds());
        var costs = meter.perSecond();
        long committed = placing.place(stage);
        boolean finished = stage.await(tally, letters);
        Audit audit = stage.audit(letters, letters, ready && finished);
        long begun = tally.begunAt(FIRST);
        double first = begun == 0 ? Double.NaN : Math.max(0, begun - committed) / 1e6;
        return new Figures(audit).withAll(costs).with("firstMillis", first);
    }

    private static long placeHere(Stage stage) throws Exception {
        stage.bench().place(new Parcel(List.of(stage.sizes().letter(FIRST)), true));
        long committed = EpochClock.nanos();
        stage.bench().place(new Parcel(List.of(stage.sizes().letter(FIRST + 1)), true));
        return committed;
    }

    private static long placeElsewhere(Stage stage) throws IOException, InterruptedException {
        Latencies placed = new Latencies(PLACED);
        Producing.elsewhere(stage, new Sizes.Flow(1, PLACED), Duration.ofSeconds(SETTLE_SECONDS), placed);
        return placed.committedAt(FIRST);
    }
}
