package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.measure.RunFigures;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** As {@link SteadyRate}, and every hundredth handler takes a second: do the others wait for it? */
final class SlowHandlers implements Workload {

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
    public List<Scenario> scenarios(RunSizes runSizes) {
        HandlerLog.HandlerBehaviour slow = new HandlerLog.HandlerBehaviour(
                HandlerLog.HandlerListener.NONE,
                id -> {
                    if (isSlow(id)) {
                        TimeUnit.SECONDS.sleep(1);
                    }
                },
                id -> true,
                true);
        return List.of(
                SteadyRate.scenario(
                        runSizes, "none", benchmarkRun -> run(benchmarkRun, HandlerLog.HandlerBehaviour.TIMED)),
                SteadyRate.scenario(runSizes, "one-percent", benchmarkRun -> run(benchmarkRun, slow)));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, HandlerLog.HandlerBehaviour handlerBehaviour)
            throws Exception {
        return SteadyRate.run(benchmarkRun, new ArrivalRun(handlerBehaviour, id -> !isSlow(id)));
    }

    private static boolean isSlow(long id) {
        return id % EVERY == EVERY / 2;
    }
}
