package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.CostMeter;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Messages are sent by as many threads as there are workers. They have no handler. */
final class Produce {
    static final int BULK = 1000;

    private Produce() {}

    static List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(
                scenario(runSizes, "business", Set.of(Capability.SENDING), new SendMode(1, true, false)),
                scenario(
                        runSizes,
                        "business-key",
                        Set.of(Capability.SENDING, Capability.KEYED),
                        new SendMode(1, true, true)),
                scenario(
                        runSizes,
                        "alone",
                        Set.of(Capability.SENDING, Capability.BACKLOG),
                        new SendMode(1, false, false)),
                scenario(
                        runSizes,
                        "bulk-" + BULK,
                        Set.of(Capability.SENDING, Capability.BACKLOG, Capability.BULK),
                        new SendMode(BULK, false, false)));
    }

    /** One message with a business row: enqueued, then published to one subscription and to several. */
    static List<Scenario> publishScenarios(RunSizes runSizes) {
        return List.of(
                scenario(
                        runSizes,
                        "enqueue",
                        Set.of(Capability.SENDING, Capability.TOPICS),
                        new SendMode(1, true, false)),
                publish(runSizes, 1),
                publish(runSizes, 3),
                publish(runSizes, 10));
    }

    private static Scenario publish(RunSizes runSizes, int subscriptions) {
        SendMode mode = new SendMode(1, true, false);
        return scenario(
                runSizes,
                "subscriptions-" + subscriptions,
                Set.of(Capability.SENDING, Capability.TOPICS),
                mode,
                benchmarkRun -> {
                    benchmarkRun.adapter().publishTo(subscriptions);
                    return mode.run(benchmarkRun);
                });
    }

    private static Scenario scenario(RunSizes runSizes, String name, Set<Capability> needs, SendMode sendMode) {
        return scenario(runSizes, name, needs, sendMode, sendMode::run);
    }

    private static Scenario scenario(
            RunSizes runSizes, String name, Set<Capability> needs, SendMode sendMode, Scenario.Procedure procedure) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), runSizes.workers(), 1),
                runSizes.ofMessages().and("inATransaction", sendMode.batchSize()),
                Metric.RATE,
                procedure);
    }

    /**
     * The form of the transactions.
     *
     * @param batchSize messages per transaction
     */
    private record SendMode(int batchSize, boolean business, boolean key) {

        RunFigures run(BenchmarkRun benchmarkRun) throws Exception {
            long messages = benchmarkRun.sizes().messages();
            int producers = benchmarkRun.sizes().workers();
            AtomicLong next = new AtomicLong();
            ExecutorService threads = Executors.newFixedThreadPool(producers);
            try {
                benchmarkRun.connect();
                CostMeter meter = benchmarkRun.meter();
                long start = System.nanoTime();
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < producers; i++) {
                    running.add(threads.submit(() -> {
                        sendAll(benchmarkRun, next, messages);
                        return null;
                    }));
                }
                for (Future<?> thread : running) {
                    thread.get();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                var costs = meter.perMessage(messages);
                RunAudit audit = benchmarkRun.auditSentMessages(messages, business);
                return new RunFigures(audit)
                        .with(Metric.RATE.key(), messages / seconds)
                        .withAll(costs);
            } finally {
                threads.shutdownNow();
            }
        }

        private void sendAll(BenchmarkRun benchmarkRun, AtomicLong next, long messages) throws Exception {
            for (long first = next.getAndAdd(batchSize); first < messages; first = next.getAndAdd(batchSize)) {
                List<BenchmarkMessage> batch = new ArrayList<>(batchSize);
                for (long id = first; id < Math.min(messages, first + batchSize); id++) {
                    BenchmarkMessage message = benchmarkRun.sizes().message(id);
                    batch.add(key ? message.withMessageKey("key-" + id) : message);
                }
                benchmarkRun.adapter().send(new SendBatch(batch, business));
                benchmarkRun.progress().at(first, messages);
            }
        }
    }
}
