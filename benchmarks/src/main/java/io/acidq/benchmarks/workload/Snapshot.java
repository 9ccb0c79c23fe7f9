package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/** A backlog is worked off while somebody keeps a snapshot open, as a backup or a report does: nothing deleted can be purged. */
final class Snapshot implements Workload {

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String purpose() {
        return "a backlog is worked off while a transaction keeps an old snapshot";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(
                scenario(sizes, "none", stage -> load(stage).run(stage)),
                scenario(sizes, "open", Snapshot::underSnapshot));
    }

    private static Scenario scenario(Sizes sizes, String name, Scenario.Course course) {
        return new Scenario(
                name, Set.of(Ability.BACKLOG), sizes.workersOnly(), sizes.ofMessages(), Metric.RATE, course);
    }

    private static WorkOff load(Stage stage) {
        return WorkOff.all(new Stock(stage.sizes().messages(), stage.sizes()::letter));
    }

    private static Figures underSnapshot(Stage stage) throws Exception {
        WorkOff load = load(stage);
        stage.bench().fill(load.stock());
        try (Connection old = stage.site().login().connect()) {
            open(old);
            Figures figures = load.runFilled(stage);
            old.rollback();
            return figures;
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
