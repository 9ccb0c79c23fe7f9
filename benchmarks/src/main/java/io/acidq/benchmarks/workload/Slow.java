package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.measure.Figures;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** As {@link Steady}, and every hundredth handler takes a second: do the others wait for it? */
final class Slow implements Workload {

    private static final int EVERY = 100;

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public String purpose() {
        return "as steady; 1 % of the handlers take 1 s, and the latency is that of the others";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        Tally.Manner slow = new Tally.Manner(
                Tally.Watch.NONE,
                id -> {
                    if (isSlow(id)) {
                        TimeUnit.SECONDS.sleep(1);
                    }
                },
                id -> true,
                true);
        return List.of(
                Steady.scenario(sizes, "none", stage -> run(stage, Tally.Manner.TIMED)),
                Steady.scenario(sizes, "one-percent", stage -> run(stage, slow)));
    }

    private static Figures run(Stage stage, Tally.Manner manner) throws Exception {
        return Steady.run(stage, new Arrivals(manner, id -> !isSlow(id)));
    }

    private static boolean isSlow(long id) {
        return id % EVERY == EVERY / 2;
    }
}
