package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import java.util.List;
import java.util.Set;

/** As {@link Steady}, from another process, whose commits nothing in this one hears of. */
final class SteadyOther implements Workload {

    /** The part of the run in which the other process is too young to count. */
    private static final int WARM_UP_SHARE = 4;

    @Override
    public String name() {
        return "steady-other";
    }

    @Override
    public String purpose() {
        return "the same from another process, without the first quarter, in which that is young";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        int young = sizes.flow().messages() / WARM_UP_SHARE;
        Arrivals arrivals = new Arrivals(Tally.Manner.TIMED, id -> id >= young);
        return List.of(Steady.scenario(
                sizes,
                "other-process",
                Set.of(Ability.PLACING, Ability.LIVE, Ability.FROM_AFAR),
                stage -> arrivals.run(
                        stage,
                        latencies ->
                                Producing.elsewhere(stage, stage.sizes().flow(), FixedRate.SHORT_LEAD, latencies))));
    }
}
