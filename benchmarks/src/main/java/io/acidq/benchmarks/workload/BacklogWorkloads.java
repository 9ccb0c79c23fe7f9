package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.CostMeter;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.workload.Scenario.ScenarioSize;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Workloads in which a backlog is filled and then worked off. */
final class BacklogWorkloads {
    static final int MANY_QUEUES = 200;

    private BacklogWorkloads() {}

    static List<Scenario> drain(RunSizes runSizes) {
        return List.of(scenario(
                "backlog",
                runSizes,
                runSizes.ofMessages(),
                benchmarkRun -> plain(benchmarkRun).run(benchmarkRun)));
    }

    private static Scenario scenario(
            String name,
            RunSizes runSizes,
            ScenarioSize size,
            Scenario.Procedure procedure,
            Capability... furtherNeeds) {
        return new Scenario(
                name,
                EnumSet.of(Capability.BACKLOG, furtherNeeds),
                runSizes.workersOnly(),
                size,
                Metric.RATE,
                procedure);
    }

    private static BacklogRun plain(BenchmarkRun benchmarkRun) {
        return BacklogRun.all(new Backlog(benchmarkRun.sizes().messages(), benchmarkRun.sizes()::message));
    }

    /** The backlog in one queue, and spread over many. */
    static List<Scenario> manyQueues(RunSizes runSizes) {
        return List.of(
                inQueues("one", runSizes, 1, EnumSet.of(Capability.BACKLOG)),
                inQueues(
                        "many-" + MANY_QUEUES,
                        runSizes,
                        MANY_QUEUES,
                        EnumSet.of(Capability.BACKLOG, Capability.MANY_QUEUES)));
    }

    private static Scenario inQueues(String name, RunSizes runSizes, int queues, EnumSet<Capability> needs) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), 1, queues),
                runSizes.ofMessages(),
                Metric.RATE,
                benchmarkRun -> BacklogRun.all(new Backlog(
                                benchmarkRun.sizes().messages(),
                                id -> benchmarkRun.sizes().message(id).inQueue((int) (id % queues))))
                        .run(benchmarkRun));
    }

    /** The backlog beside a transaction that keeps a snapshot open, as a backup or a report does, so that no deleted row can be purged. */
    static List<Scenario> snapshot(RunSizes runSizes) {
        return List.of(
                scenario(
                        "none",
                        runSizes,
                        runSizes.ofMessages(),
                        benchmarkRun -> plain(benchmarkRun).run(benchmarkRun)),
                scenario("open", runSizes, runSizes.ofMessages(), BacklogWorkloads::runWithSnapshot));
    }

    private static RunFigures runWithSnapshot(BenchmarkRun benchmarkRun) throws Exception {
        BacklogRun backlogRun = plain(benchmarkRun);
        benchmarkRun.adapter().fill(backlogRun.backlog());
        try (Connection old = benchmarkRun.database().login().connect()) {
            openSnapshot(old);
            RunFigures figures = backlogRun.runFilled(benchmarkRun);
            old.rollback();
            return figures;
        }
    }

    private static void openSnapshot(Connection old) throws SQLException {
        old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        old.setAutoCommit(false);
        try (Statement statement = old.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            statement.executeQuery("SELECT COUNT(*) FROM bench_effect").close();
        }
    }

    /** The head of backlogs of different sizes, and of a small one among archived, scheduled and dead messages. */
    static List<Scenario> growth(RunSizes runSizes) {
        RunSizes.TableAge tableAge = runSizes.tableAge();
        List<Scenario> scenarios = new ArrayList<>();
        for (long behind : tableAge.backlogs()) {
            scenarios.add(scenario(
                    "behind-" + behind,
                    runSizes,
                    growthSize(runSizes, behind),
                    benchmarkRun -> runHead(benchmarkRun, behind, RunSizes.TableAge.NOTHING)));
        }
        TableFill tableFill = tableAge.tableFill();
        if (!tableFill.equals(RunSizes.TableAge.NOTHING)) {
            scenarios.add(scenario(
                    "remains",
                    runSizes,
                    growthSize(runSizes, tableAge.backlogs().get(0))
                            .and("archived", tableFill.archived())
                            .and("scheduled", tableFill.scheduled())
                            .and("dead", tableFill.dead()),
                    benchmarkRun -> runHead(
                            benchmarkRun,
                            benchmarkRun.sizes().tableAge().backlogs().get(0),
                            benchmarkRun.sizes().tableAge().tableFill()),
                    Capability.FILLED_TABLES));
        }
        return scenarios;
    }

    /** A backlog of NORMAL messages, of all priorities, and of HIGH ones in front of LOW ones. */
    static List<Scenario> priorities(RunSizes runSizes) {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(ranked("normal", runSizes, 0, (messages, id) -> 0));
        scenarios.add(ranked("mixed", runSizes, 0, (messages, id) -> id % 3 - 1));
        for (long behind : runSizes.tableAge().backlogs()) {
            scenarios.add(ranked("high-before-" + behind, runSizes, behind, (messages, id) -> id < messages ? 1 : -1));
        }
        return scenarios;
    }

    /** @param rank the rank of a message by the number of messages to work off and its id */
    private static Scenario ranked(String name, RunSizes runSizes, long behind, LongBinaryOperator rank) {
        return scenario(
                name,
                runSizes,
                growthSize(runSizes, behind),
                benchmarkRun -> {
                    RunSizes sizes = benchmarkRun.sizes();
                    long messages = sizes.messages();
                    Backlog backlog = new Backlog(
                            messages + sizes.tableAge().atMostLargest(behind),
                            id -> sizes.message(id).withRank((int) rank.applyAsLong(messages, id)));
                    return new BacklogRun(backlog, messages, HandlerLog.HandlerBehaviour.PLAIN).run(benchmarkRun);
                },
                Capability.PRIORITIES);
    }

    private static ScenarioSize growthSize(RunSizes runSizes, long behind) {
        return runSizes.ofMessages()
                .and("behind", behind)
                .and("analyzed", runSizes.tableAge().analyzed() ? 1 : 0);
    }

    private static RunFigures runHead(BenchmarkRun benchmarkRun, long behind, TableFill tableFill) throws Exception {
        RunSizes runSizes = benchmarkRun.sizes();
        long rest = runSizes.tableAge().atMostLargest(behind);
        BacklogRun backlogRun = new BacklogRun(
                new Backlog(runSizes.messages() + rest, runSizes::message),
                runSizes.messages(),
                HandlerLog.HandlerBehaviour.PLAIN);
        benchmarkRun.adapter().fill(backlogRun.backlog());
        if (!tableFill.equals(RunSizes.TableAge.NOTHING)) {
            benchmarkRun.adapter().fillTables(tableFill);
        }
        if (runSizes.tableAge().analyzed()) {
            benchmarkRun.analyze();
        }
        return backlogRun.runFilled(benchmarkRun);
    }

    /**
     * A backlog that is filled and worked off.
     *
     * @param wanted number of messages to work off and measure
     */
    record BacklogRun(Backlog backlog, long wanted, HandlerLog.HandlerBehaviour behaviour) {
        /** The whole backlog, with plain handlers. */
        static BacklogRun all(Backlog backlog) {
            return new BacklogRun(backlog, backlog.count(), HandlerLog.HandlerBehaviour.PLAIN);
        }

        RunFigures run(BenchmarkRun benchmarkRun) throws Exception {
            benchmarkRun.adapter().fill(backlog);
            return runFilled(benchmarkRun);
        }

        /** Runs after the backlog has been filled. */
        RunFigures runFilled(BenchmarkRun benchmarkRun) throws Exception {
            HandlerLog handlerLog = benchmarkRun.handlerLog(backlog.count(), behaviour);
            benchmarkRun.connect();
            CostMeter meter = benchmarkRun.meter();
            benchmarkRun.adapter().start(benchmarkRun.sizes().workers(), handlerLog);
            boolean finished = benchmarkRun.await(handlerLog, wanted);
            var costs = meter.perMessage(handlerLog.done());
            double rate = handlerLog.perSecond();
            RunAudit audit = benchmarkRun.audit(backlog.count(), wanted, finished);
            return new RunFigures(audit).with(Metric.RATE.key(), rate).withAll(costs);
        }
    }
}
