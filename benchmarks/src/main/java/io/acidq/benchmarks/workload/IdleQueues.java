package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.measure.EpochClock;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Queues that have been used have nothing to do: what that costs, and how long the first message afterwards waits. */
final class IdleQueues implements Workload {

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
    public List<Scenario> scenarios(RunSizes runSizes) {
        Set<Capability> one = Set.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE);
        Set<Capability> many = Set.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE, Capability.MANY_QUEUES);
        Set<Capability> other = Set.of(
                Capability.BACKLOG,
                Capability.SENDING,
                Capability.LIVE,
                Capability.MANY_QUEUES,
                Capability.OTHER_PROCESS);
        String name = "queues-" + MANY;
        return List.of(
                scenario(runSizes, "queues-1", 1, one, IdleQueues::placeHere),
                scenario(runSizes, name, MANY, many, IdleQueues::placeHere),
                scenario(runSizes, name + "-other-process", MANY, other, IdleQueues::placeElsewhere));
    }

    /** Places the letter {@link #FIRST} and says when its COMMIT had returned. */
    @FunctionalInterface
    private interface FirstMessage {
        long place(BenchmarkRun benchmarkRun) throws Exception;
    }

    private static Scenario scenario(
            RunSizes runSizes, String name, int queues, Set<Capability> needs, FirstMessage firstMessage) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), 1, queues),
                ScenarioSize.of("messages", (long) queues + PLACED)
                        .and("seconds", runSizes.arrivalRate().seconds()),
                Metric.QUERIES,
                benchmarkRun -> run(benchmarkRun, queues, firstMessage));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, int queues, FirstMessage firstMessage) throws Exception {
        long letters = (long) queues + PLACED;
        HandlerLog handlerLog = benchmarkRun.handlerLog(letters, HandlerLog.HandlerBehaviour.TIMED);
        RunSizes runSizes = benchmarkRun.sizes();
        benchmarkRun
                .adapter()
                .fill(new Backlog(
                        queues, each -> runSizes.message(PLACED + each).inQueue((int) each)));
        benchmarkRun.connect();
        benchmarkRun.adapter().start(runSizes.workers(), handlerLog);
        boolean ready = benchmarkRun.await(handlerLog, queues);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        Meter meter = benchmarkRun.meter();
        TimeUnit.SECONDS.sleep(runSizes.arrivalRate().seconds());
        var costs = meter.perSecond();
        long committed = firstMessage.place(benchmarkRun);
        boolean finished = benchmarkRun.await(handlerLog, letters);
        RunAudit runAudit = benchmarkRun.audit(letters, letters, ready && finished);
        long begun = handlerLog.begunAt(FIRST);
        double first = begun == 0 ? Double.NaN : Math.max(0, begun - committed) / 1e6;
        return new RunFigures(runAudit).withAll(costs).with("firstMillis", first);
    }

    private static long placeHere(BenchmarkRun benchmarkRun) throws Exception {
        benchmarkRun.adapter().send(new SendBatch(List.of(benchmarkRun.sizes().message(FIRST)), true));
        long committed = EpochClock.nanos();
        benchmarkRun.adapter().send(new SendBatch(List.of(benchmarkRun.sizes().message(FIRST + 1)), true));
        return committed;
    }

    private static long placeElsewhere(BenchmarkRun benchmarkRun) throws IOException, InterruptedException {
        Latencies placed = new Latencies(PLACED);
        ProducerProcess.elsewhere(
                benchmarkRun, new RunSizes.ArrivalRate(1, PLACED), Duration.ofSeconds(SETTLE_SECONDS), placed);
        return placed.committedAt(FIRST);
    }
}
