package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** As {@link Steady}, from another process, whose commits nothing in this one hears of. */
final class SteadyOther implements Workload {

    @Override
    public String name() {
        return "steady-other";
    }

    @Override
    public String purpose() {
        return "the same from another process";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        Arrivals arrivals = new Arrivals(Tally.Manner.TIMED, id -> true);
        return List.of(Steady.scenario(
                sizes,
                "other-process",
                Set.of(Ability.PLACING, Ability.LIVE, Ability.FROM_AFAR),
                stage -> arrivals.run(stage, latencies -> placeElsewhere(stage, latencies))));
    }

    private static void placeElsewhere(Stage stage, Latencies latencies) throws IOException, InterruptedException {
        Process process = stage.produceElsewhere(Producing.arguments(stage.sizes()));
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
