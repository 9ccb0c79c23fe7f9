package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.CostMeter;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** Messages come at a fixed rate while workers wait for them: measures the time until their handlers start. */
final class SteadyRate {
    private static final int SLOW_EVERY = 100;
    /** The other process warms up during this part of the run. */
    private static final int WARM_UP_SHARE = 4;

    private SteadyRate() {}

    static List<Scenario> sameProcess(RunSizes runSizes) {
        return List.of(scenario(
                runSizes,
                "same-process",
                benchmarkRun -> run(benchmarkRun, HandlerLog.HandlerBehaviour.TIMED, id -> true, SteadyRate::send)));
    }

    /** The commits of another process are invisible to the code of this one. */
    static List<Scenario> otherProcess(RunSizes runSizes) {
        int warmUp = runSizes.arrivalRate().messages() / WARM_UP_SHARE;
        return List.of(scenario(
                runSizes,
                "other-process",
                benchmarkRun -> run(
                        benchmarkRun,
                        HandlerLog.HandlerBehaviour.TIMED,
                        id -> id >= warmUp,
                        (its, latencies) -> ProducerProcess.sendElsewhere(
                                its, its.sizes().arrivalRate(), FixedRate.SHORT_LEAD, latencies)),
                Capability.OTHER_PROCESS));
    }

    /** Shows whether the other messages wait for slow handlers. */
    static List<Scenario> slowHandlers(RunSizes runSizes) {
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
                scenario(
                        runSizes,
                        "none",
                        benchmarkRun -> run(
                                benchmarkRun, HandlerLog.HandlerBehaviour.TIMED, id -> !isSlow(id), SteadyRate::send)),
                scenario(
                        runSizes,
                        "one-percent",
                        benchmarkRun -> run(benchmarkRun, slow, id -> !isSlow(id), SteadyRate::send)));
    }

    private static boolean isSlow(long id) {
        return id % SLOW_EVERY == SLOW_EVERY / 2;
    }

    private static Scenario scenario(
            RunSizes runSizes, String name, Scenario.Procedure procedure, Capability... furtherNeeds) {
        EnumSet<Capability> needs = EnumSet.of(Capability.SENDING, Capability.LIVE);
        needs.addAll(List.of(furtherNeeds));
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), FixedRate.PRODUCERS, 1),
                runSizes.ofFlow(),
                Metric.P99,
                procedure);
    }

    private static void send(BenchmarkRun benchmarkRun, Latencies latencies) throws Exception {
        new FixedRate(benchmarkRun.adapter(), benchmarkRun.sizes(), latencies, FixedRate.SHORT_LEAD).run();
    }

    private static RunFigures run(
            BenchmarkRun benchmarkRun, HandlerLog.HandlerBehaviour behaviour, IntPredicate measured, Source source)
            throws Exception {
        int messages = benchmarkRun.sizes().arrivalRate().messages();
        HandlerLog handlerLog = benchmarkRun.handlerLog(messages, behaviour);
        Latencies latencies = new Latencies(messages);
        benchmarkRun.connect();
        benchmarkRun.adapter().start(benchmarkRun.sizes().workers(), handlerLog);
        CostMeter meter = benchmarkRun.meter();
        source.sendAll(benchmarkRun, latencies);
        int sent = latencies.sent();
        boolean finished = benchmarkRun.await(handlerLog, sent);
        var costs = meter.perMessage(sent);
        RunAudit audit = benchmarkRun.audit(messages, messages, finished && sent == messages);
        return new RunFigures(audit)
                .withAll(latencies.figures(handlerLog, measured))
                .withAll(costs);
    }

    /** Sends all messages of a run. */
    @FunctionalInterface
    private interface Source {
        void sendAll(BenchmarkRun benchmarkRun, Latencies latencies) throws Exception;
    }
}
