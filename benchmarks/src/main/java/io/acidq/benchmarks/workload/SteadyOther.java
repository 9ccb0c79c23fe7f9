package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import java.io.BufferedReader;
import java.io.IOException;
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
                stage -> arrivals.run(stage, latencies -> placeElsewhere(stage, latencies))));
    }

    private static void placeElsewhere(Stage stage, Latencies latencies) throws IOException, InterruptedException {
        Process process = stage.elsewhere(Stage.Role.PRODUCE, Producing.arguments(stage.sizes()));
        try (BufferedReader lines = process.inputReader()) {
            Producing.read(lines, latencies);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("the producing process ended with " + code + "; it has said why");
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
