package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Capability;
import java.util.List;
import java.util.Set;

/** As {@link SteadyRate}, from another process, whose commits nothing in this one hears of. */
final class SteadyRateOtherProcess implements Workload {

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
    public List<Scenario> scenarios(RunSizes runSizes) {
        int young = runSizes.arrivalRate().messages() / WARM_UP_SHARE;
        ArrivalRun arrivalRun = new ArrivalRun(HandlerLog.HandlerBehaviour.TIMED, id -> id >= young);
        return List.of(SteadyRate.scenario(
                runSizes,
                "other-process",
                Set.of(Capability.SENDING, Capability.LIVE, Capability.OTHER_PROCESS),
                benchmarkRun -> arrivalRun.run(
                        benchmarkRun,
                        latencies -> ProducerProcess.elsewhere(
                                benchmarkRun, benchmarkRun.sizes().arrivalRate(), FixedRate.SHORT_LEAD, latencies))));
    }
}
