package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.OperatorScreens;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.workload.Scenario.ScenarioSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The screens for operators over full tables: how long each takes, and how much viewers take from the rate of the workers. */
final class OperatorLoad {

    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 20;
    private static final int REFRESH_SECONDS = 2;
    private static final int BETWEEN_CHECKS_MILLIS = 20;

    /** Pairs of windows, one without viewers and one with them. */
    private static final int PAIRS = 6;

    /** The screens of the viewers: one viewer looks at each of them. */
    private static final Set<String> WATCHED = Set.of("overview", "queue", "messages", "dead", "scheduled");

    private OperatorLoad() {}

    static List<Scenario> scenarios(RunSizes runSizes) {
        long behind = Collections.max(runSizes.tableAge().backlogs());
        TableFill tableFill = runSizes.tableAge().tableFill();
        ScenarioSize size = runSizes.ofMessages()
                .and("behind", behind)
                .and("archived", tableFill.archived())
                .and("scheduled", tableFill.scheduled())
                .and("dead", tableFill.dead())
                .and("seconds", runSizes.arrivalRate().seconds());
        Set<Capability> needs = EnumSet.of(Capability.BACKLOG, Capability.FILLED_TABLES, Capability.OPERATOR_SCREENS);
        return List.of(new Scenario(
                "behind-" + behind,
                needs,
                runSizes.workersOnly(),
                size,
                Metric.SCREEN,
                benchmarkRun -> run(benchmarkRun, behind, tableFill)));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, long behind, TableFill tableFill) throws Exception {
        RunSizes runSizes = benchmarkRun.sizes();
        long total = runSizes.messages() + behind;
        benchmarkRun.adapter().fill(new Backlog(total, runSizes::message));
        benchmarkRun.adapter().fillTables(tableFill);
        if (runSizes.tableAge().analyzed()) {
            benchmarkRun.analyze();
        }
        Map<String, Double> figures = openAll(benchmarkRun);
        HandlerLog handlerLog = benchmarkRun.handlerLog(total, HandlerLog.HandlerBehaviour.PLAIN);
        benchmarkRun.connect();
        benchmarkRun.adapter().start(runSizes.workers(), handlerLog);
        boolean finished = benchmarkRun.await(handlerLog, runSizes.messages()); // the JVM has compiled by then
        figures.putAll(watch(benchmarkRun, handlerLog, total));
        RunAudit audit = benchmarkRun.audit(total, handlerLog.done(), finished);
        return new RunFigures(audit).withAll(figures);
    }

    /** Opens each screen several times, each time as the first viewer, while no worker runs. */
    private static Map<String, Double> openAll(BenchmarkRun benchmarkRun) throws Exception {
        Map<String, Histogram> times = new LinkedHashMap<>();
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            try (OperatorScreens screens = benchmarkRun.adapter().operatorScreens()) {
                for (String name : screens.names()) {
                    long start = System.nanoTime();
                    screens.open(name);
                    if (round >= WARM_UP_ROUNDS) {
                        times.computeIfAbsent(name, each -> new Histogram(3))
                                .recordValue((System.nanoTime() - start) / 1000);
                    }
                }
            }
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        double slowest = 0;
        for (Map.Entry<String, Histogram> each : times.entrySet()) {
            double p95 = each.getValue().getValueAtPercentile(95) / 1e3;
            figures.put(each.getKey() + "P50Millis", each.getValue().getValueAtPercentile(50) / 1e3);
            figures.put(each.getKey() + "P95Millis", p95);
            slowest = Math.max(slowest, p95);
        }
        figures.put(Metric.SCREEN.key(), slowest);
        return figures;
    }

    /** Compares the rates of the workers in windows without viewers and with them, in turn. */
    private static Map<String, Double> watch(BenchmarkRun benchmarkRun, HandlerLog handlerLog, long total)
            throws Exception {
        double alone = 0;
        double watched = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            alone += window(benchmarkRun, handlerLog, total);
            try (OperatorScreens screens = benchmarkRun.adapter().operatorScreens();
                    Viewers viewers = new Viewers(screens)) {
                watched += window(benchmarkRun, handlerLog, total);
                viewers.check();
            }
        }
        return Map.of(
                "unwatchedPerSecond",
                alone / PAIRS,
                "watchedPerSecond",
                watched / PAIRS,
                "watchedShare",
                watched / alone);
    }

    private static double window(BenchmarkRun benchmarkRun, HandlerLog handlerLog, long total)
            throws InterruptedException {
        long before = handlerLog.done();
        long start = System.nanoTime();
        long end = start
                + TimeUnit.SECONDS.toNanos(benchmarkRun.sizes().arrivalRate().seconds());
        while (System.nanoTime() < end && handlerLog.done() < total) {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CHECKS_MILLIS);
        }
        return (handlerLog.done() - before) * 1e9 / (System.nanoTime() - start);
    }

    /** Viewers whose pages refresh at their shortest interval. */
    private static final class Viewers implements AutoCloseable {

        private final ScheduledExecutorService threads = new ScheduledThreadPoolExecutor(WATCHED.size());
        private final List<ScheduledFuture<?>> refreshes = new ArrayList<>();

        Viewers(OperatorScreens screens) {
            int number = 0;
            for (String name : screens.names()) {
                if (WATCHED.contains(name)) {
                    long delay = 1000L * REFRESH_SECONDS * number++ / WATCHED.size();
                    refreshes.add(threads.scheduleAtFixedRate(
                            () -> open(screens, name), delay, 1000L * REFRESH_SECONDS, TimeUnit.MILLISECONDS));
                }
            }
        }

        private static void open(OperatorScreens screens, String name) {
            try {
                screens.open(name);
            } catch (Exception e) {
                throw new IllegalStateException("the screen " + name + " cannot be opened", e);
            }
        }

        /** Fails if a page has failed. */
        void check() throws ExecutionException, InterruptedException {
            refreshes.forEach(refresh -> refresh.cancel(false));
            for (ScheduledFuture<?> refresh : refreshes) {
                try {
                    refresh.get();
                } catch (CancellationException e) {
                    // it has not failed
                }
            }
        }

        @Override
        public void close() {
            threads.shutdown();
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
