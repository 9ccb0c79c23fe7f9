package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.CostMeter;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.workload.Scenario.ScenarioSize;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Measures the cost of idle queues that have been in use, and the latency of the first message after the idle time. */
final class IdleQueues {
    static final int MANY = 20;
    private static final int SETTLE_SECONDS = 3;

    /** The id of the message that ends the idle time. Another process starts with this id. */
    private static final int FIRST = 0;

    /** A second message keeps the other process alive for a second, so that its end does not disturb the first one. */
    private static final int SENT = 2;

    private IdleQueues() {}

    static List<Scenario> scenarios(RunSizes runSizes) {
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
                scenario(runSizes, "queues-1", 1, one, IdleQueues::sendHere),
                scenario(runSizes, name, MANY, many, IdleQueues::sendHere),
                scenario(runSizes, name + "-other-process", MANY, other, IdleQueues::sendElsewhere));
    }

    /** Sends the message {@link #FIRST} and returns the time of its COMMIT. */
    @FunctionalInterface
    private interface FirstMessage {
        long send(BenchmarkRun benchmarkRun) throws Exception;
    }

    private static Scenario scenario(
            RunSizes runSizes, String name, int queues, Set<Capability> needs, FirstMessage firstMessage) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), 1, queues),
                ScenarioSize.of("messages", (long) queues + SENT)
                        .and("seconds", runSizes.arrivalRate().seconds()),
                Metric.QUERIES,
                benchmarkRun -> run(benchmarkRun, queues, firstMessage));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, int queues, FirstMessage firstMessage) throws Exception {
        long messages = (long) queues + SENT;
        HandlerLog handlerLog = benchmarkRun.handlerLog(messages, HandlerLog.HandlerBehaviour.TIMED);
        RunSizes runSizes = benchmarkRun.sizes();
        benchmarkRun
                .adapter()
                .fill(new Backlog(queues, each -> runSizes.message(SENT + each).inQueue((int) each)));
        benchmarkRun.connect();
        benchmarkRun.adapter().start(runSizes.workers(), handlerLog);
        boolean ready = benchmarkRun.await(handlerLog, queues);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        CostMeter meter = benchmarkRun.meter();
        TimeUnit.SECONDS.sleep(runSizes.arrivalRate().seconds());
        var costs = meter.perSecond();
        long committed = firstMessage.send(benchmarkRun);
        boolean finished = benchmarkRun.await(handlerLog, messages);
        RunAudit audit = benchmarkRun.audit(messages, messages, ready && finished);
        long started = handlerLog.startedAt(FIRST);
        double first = started == 0 ? Double.NaN : Math.max(0, started - committed) / 1e6;
        return new RunFigures(audit).withAll(costs).with("firstMillis", first);
    }

    private static long sendHere(BenchmarkRun benchmarkRun) throws Exception {
        benchmarkRun.adapter().send(new SendBatch(List.of(benchmarkRun.sizes().message(FIRST)), true));
        long committed = CostMeter.epochNanos();
        benchmarkRun.adapter().send(new SendBatch(List.of(benchmarkRun.sizes().message(FIRST + 1)), true));
        return committed;
    }

    private static long sendElsewhere(BenchmarkRun benchmarkRun) throws IOException, InterruptedException {
        Latencies sent = new Latencies(SENT);
        ProducerProcess.sendElsewhere(
                benchmarkRun, new RunSizes.ArrivalRate(1, SENT), Duration.ofSeconds(SETTLE_SECONDS), sent);
        return sent.committedAt(FIRST);
    }
}
