package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/** A backlog is worked off while somebody keeps a snapshot open, as a backup or a report does: nothing deleted can be purged. */
final class OpenSnapshot implements Workload {

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String purpose() {
        return "a backlog is worked off while a transaction keeps an old snapshot";
    }

    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(
                scenario(runSizes, "none", benchmarkRun -> load(benchmarkRun).run(benchmarkRun)),
                scenario(runSizes, "open", OpenSnapshot::underSnapshot));
    }

    private static Scenario scenario(RunSizes runSizes, String name, Scenario.Procedure procedure) {
        return new Scenario(
                name,
                Set.of(Capability.BACKLOG),
                runSizes.workersOnly(),
                runSizes.ofMessages(),
                Metric.RATE,
                procedure);
    }

    private static BacklogRun load(BenchmarkRun benchmarkRun) {
        return BacklogRun.all(new Backlog(benchmarkRun.sizes().messages(), benchmarkRun.sizes()::message));
    }

    private static RunFigures underSnapshot(BenchmarkRun benchmarkRun) throws Exception {
        BacklogRun load = load(benchmarkRun);
        benchmarkRun.adapter().fill(load.backlog());
        try (Connection old = benchmarkRun.database().login().connect()) {
            open(old);
            RunFigures runFigures = load.runFilled(benchmarkRun);
            old.rollback();
            return runFigures;
        }
    }

    private static void open(Connection old) throws SQLException {
        old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        old.setAutoCommit(false);
        try (Statement statement = old.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            statement.executeQuery("SELECT COUNT(*) FROM bench_effect").close();
        }
    }
}
