package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Messages are placed by as many threads as there are workers; nobody handles them. */
final class Produce implements Workload {

    private static final int BULK = 1000;

    @Override
    public String name() {
        return "produce";
    }

    @Override
    public String purpose() {
        return "messages are placed: with a business row (rows-only: without the message), with a key too, alone, "
                + BULK + " in a transaction";
    }

    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
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

    private static Scenario scenario(RunSizes runSizes, String name, Set<Capability> needs, SendMode sendMode) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), runSizes.workers(), 1),
                runSizes.ofMessages().and("inATransaction", sendMode.batchSize()),
                Metric.RATE,
                sendMode::run);
    }

    /**
     * How they are placed.
     *
     * @param batchSize letters in a transaction
     */
    private record SendMode(int batchSize, boolean business, boolean key) {

        RunFigures run(BenchmarkRun benchmarkRun) throws Exception {
            long messages = benchmarkRun.sizes().messages();
            int producers = benchmarkRun.sizes().workers();
            AtomicLong next = new AtomicLong();
            ExecutorService threads = Executors.newFixedThreadPool(producers);
            try {
                benchmarkRun.connect();
                Meter meter = benchmarkRun.meter();
                long began = System.nanoTime();
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < producers; i++) {
                    running.add(threads.submit(() -> {
                        placeAll(benchmarkRun, next, messages);
                        return null;
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
                double seconds = (System.nanoTime() - began) / 1e9;
                var costs = meter.perMessage(messages);
                RunAudit runAudit = benchmarkRun.auditSentMessages(messages, business);
                return new RunFigures(runAudit)
                        .with(Metric.RATE.key(), messages / seconds)
                        .withAll(costs);
            } finally {
                threads.shutdownNow();
            }
        }

        private void placeAll(BenchmarkRun benchmarkRun, AtomicLong next, long messages) throws Exception {
            for (long first = next.getAndAdd(batchSize); first < messages; first = next.getAndAdd(batchSize)) {
                List<BenchmarkMessage> benchmarkMessages = new ArrayList<>(batchSize);
                for (long id = first; id < Math.min(messages, first + batchSize); id++) {
                    BenchmarkMessage benchmarkMessage = benchmarkRun.sizes().message(id);
                    benchmarkMessages.add(key ? benchmarkMessage.withMessageKey("key-" + id) : benchmarkMessage);
                }
                benchmarkRun.adapter().send(new SendBatch(benchmarkMessages, business));
                benchmarkRun.progress().at(first, messages);
            }
        }
    }
}
