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
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Queues that have been used have nothing to do: what that costs, and how long the first message afterwards waits. */
final class Idle implements Workload {

    private static final int MANY = 20;
    private static final int SETTLE_SECONDS = 3;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String purpose() {
        return "1 queue, and " + MANY + ", have nothing to do for --seconds; then one message comes";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        Set<Ability> one = Set.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE);
        Set<Ability> many = Set.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE, Ability.MANY_QUEUES);
        return List.of(scenario(sizes, "queues-1", 1, one), scenario(sizes, "queues-" + MANY, MANY, many));
    }

    private static Scenario scenario(Sizes sizes, String name, int queues, Set<Ability> needs) {
        return new Scenario(
                name,
                needs,
                new Crew(sizes.workers(), 1, queues),
                Extent.of("messages", queues + 1L).and("seconds", sizes.flow().seconds()),
                Metric.QUERIES,
                stage -> run(stage, queues));
    }

    private static Figures run(Stage stage, int queues) throws Exception {
        Tally tally = stage.tally(queues + 1L, Tally.Manner.TIMED);
        Sizes sizes = stage.sizes();
        stage.bench().fill(new Stock(queues, id -> sizes.letter(id).inQueue((int) id)));
        stage.connect();
        stage.bench().start(sizes.workers(), tally);
        boolean ready = stage.await(tally, queues);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        Meter meter = stage.meter();
        TimeUnit.SECONDS.sleep(sizes.flow().seconds());
        var costs = meter.perSecond();
        stage.bench().place(new Parcel(List.of(sizes.letter(queues)), true));
        long committed = EpochClock.nanos();
        boolean finished = stage.await(tally, queues + 1L);
        Audit audit = stage.audit(queues + 1L, queues + 1L, ready && finished);
        double first = Math.max(0, tally.begunAt(queues) - committed) / 1e6;
        return new Figures(audit).withAll(costs).with("firstMillis", first);
    }
}
