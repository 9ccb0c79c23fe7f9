package io.acidq.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.role.ChaosTables;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The auditor accepts a correct run, and names the broken invariant of each manipulated run. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditorIT {

    private static final Duration SOON = Duration.ofMillis(200);

    /** Invariants that only an open connection can break. */
    private static final Set<Invariant> OF_THE_SERVER =
            EnumSet.of(Invariant.NO_CONNECTION_LEFT, Invariant.NO_LOCK_LEFT);

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private Connection connection;

    @TempDir
    private Path folders;

    /** The folder of one test. */
    private Path folder;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        try (HikariDataSource pool =
                new DatabaseLogin(database.jdbcUrl(), database.username(), database.password()).pool(2)) {
            Schema.create(pool);
        }
        connection = database.connect();
        ChaosTables.create(connection);
    }

    @AfterParameterizedClassInvocation
    void close() throws SQLException {
        connection.close();
        database.drop();
    }

    @BeforeEach
    void clear() throws SQLException, IOException {
        folder = Files.createTempDirectory(folders, "journals");
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String table : List.of(
                    "chaos_business",
                    "chaos_effect",
                    "chaos_expiry",
                    "chaos_withdrawn",
                    "acidq_audit",
                    "acidq_cancel",
                    "chaos_tick",
                    "acidq_tick",
                    "acidq_recurring",
                    "acidq_message",
                    "acidq_scheduled",
                    "acidq_dead",
                    "acidq_key",
                    "acidq_crash",
                    "acidq_receipt",
                    "acidq_history",
                    "acidq_node")) {
                statement.execute("DELETE FROM " + table);
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Test
    void acceptsACorrectRun() throws SQLException {
        InvariantResults results = audited(run -> {});
        assertThat(results.holds()).as("%s", results).isTrue();
        assertThat(Invariant.values())
                .allSatisfy(i -> assertThat(results.checked(i)).as(i.name()).isPositive());
    }

    @Test
    void acceptsARunInWhichAMessageWasTakenFromADeadNode() throws SQLException {
        InvariantResults results = audited(run -> {
            ViolationCase.TAKEN_FROM_THE_LIVING.runChange.change(run);
            run.node(1, "DEAD", 6);
        });
        assertThat(results.holds()).as("%s", results).isTrue();
    }

    @Test
    void acceptsAnEffectOfANodeThatHasTheNumberOfOneWhoseRegistrationWasLost() throws SQLException {
        InvariantResults results = audited(run -> {
            run.node(1, "STOPPED", 6);
            run.counted("plain", 1, "unknown host");
        });
        assertThat(results.holds()).as("%s", results).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ViolationCase.class)
    void namesTheBrokenInvariant(ViolationCase violationCase) throws SQLException {
        InvariantResults results = audited(violationCase.runChange);
        assertThat(broken(results)).as("%s", results).isEqualTo(violationCase.broken);
    }

    @Test
    void namesAConnectionThatIsLeft() throws SQLException {
        try (Connection left = database.connect()) {
            assertThat(left.isValid(1)).isTrue();
            assertThat(broken(audited(run -> {}))).containsExactly(Invariant.NO_CONNECTION_LEFT);
        }
    }

    @Test
    void namesALockThatIsLeft() throws SQLException {
        try (Connection holder = database.server().connect("");
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(
                    "INSERT INTO " + database.name() + ".acidq_lane (queue, lane, claimed_to) VALUES (9, 9, 0)");
            assertThat(broken(audited(run -> {}))).containsExactly(Invariant.NO_LOCK_LEFT);
            holder.rollback();
        }
    }

    @Test
    void hasAViolationCaseForEachInvariant() {
        Set<Invariant> tried = EnumSet.copyOf(OF_THE_SERVER);
        Arrays.stream(ViolationCase.values()).forEach(g -> tried.add(g.invariant));
        assertThat(tried).containsExactlyInAnyOrder(Invariant.values());
    }

    @Test
    void printsTheWholeHistoryOfAViolation() throws SQLException {
        InvariantResults results = audited(ViolationCase.ATTEMPTS_THAT_FALL.runChange);
        assertThat(results.broken(Invariant.CLAIMS_RISE))
                .singleElement()
                .satisfies(history -> assertThat(history)
                        .contains("x lane=null seq=9 action=PLAIN sendResult=OK booked=true keyed=true")
                        .contains(
                                "start of claim 1 by node 1 (process 1) attempt=1",
                                "start of claim 2",
                                "start of claim 3")
                        .contains("Effect[id=", "node=1, claimNo=3, lane=null, seq=9]"));
        assertThat(results.toString()).contains("CLAIMS_RISE", "start of claim 3");
    }

    @Test
    void findsViolationsInASnapshot() throws SQLException {
        try (HandwrittenRun run = new HandwrittenRun(connection, folder)) {
            run.writeCorrectRun();
            assertThat(new SnapshotAudit().check(connection)).isEmpty();
            run.effect("plain", null, 1, 1, 1);
            run.waiting("first", 0);
            run.waiting("failing", 0);
            assertThat(new SnapshotAudit().check(connection))
                    .hasSize(3)
                    .contains("two effects: plain", "done and still there: first")
                    .anyMatch(violation -> violation.startsWith("in two places"));
        }
    }

    private InvariantResults audited(ViolationCase.RunChange runChange) throws SQLException {
        try (HandwrittenRun run = new HandwrittenRun(connection, folder)) {
            run.writeCorrectRun();
            runChange.change(run);
        }
        return new Auditor(folder, 4, 3, SOON).audit(connection);
    }

    private static Set<Invariant> broken(InvariantResults results) {
        return Arrays.stream(Invariant.values())
                .filter(i -> !results.broken(i).isEmpty())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Invariant.class)));
    }
}
