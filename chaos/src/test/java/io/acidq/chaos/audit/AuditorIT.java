package io.acidq.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.role.ProcessProtocol;
import io.acidq.chaos.role.Tables;
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

/** The auditor believes a true run, and names what is wrong with each that was doctored. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditorIT {

    private static final Duration SOON = Duration.ofMillis(200);

    /** Which can be broken only by something that goes on. */
    private static final Set<Invariant> OF_THE_SERVER =
            EnumSet.of(Invariant.NO_CONNECTION_LEFT, Invariant.NO_LOCK_LEFT);

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private Connection connection;

    @TempDir
    private Path folders;

    /** Of one test: the folder above is that of all of them. */
    private Path folder;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        try (HikariDataSource pool =
                new ProcessProtocol(database.jdbcUrl(), database.username(), database.password()).pool(2)) {
            Schema.create(pool);
        }
        connection = database.connect();
        Tables.create(connection);
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
                    "acidq_message",
                    "acidq_scheduled",
                    "acidq_dead",
                    "acidq_key",
                    "acidq_crash",
                    "acidq_node")) {
                statement.execute("DELETE FROM " + table);
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Test
    void believesATrueRun() throws SQLException {
        InvariantResults invariantResults = audited(handwrittenRun -> {});
        assertThat(invariantResults.holds()).as("%s", invariantResults).isTrue();
        assertThat(Invariant.values())
                .allSatisfy(i ->
                        assertThat(invariantResults.checked(i)).as(i.name()).isPositive());
    }

    @Test
    void believesARunInWhichAMessageWasTakenFromADeadNode() throws SQLException {
        InvariantResults invariantResults = audited(handwrittenRun -> {
            ViolationCase.TAKEN_FROM_THE_LIVING.runChange.change(handwrittenRun);
            handwrittenRun.node(1, "DEAD", 6);
        });
        assertThat(invariantResults.holds()).as("%s", invariantResults).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ViolationCase.class)
    void names(ViolationCase violationCase) throws SQLException {
        InvariantResults invariantResults = audited(violationCase.runChange);
        assertThat(broken(invariantResults)).as("%s", invariantResults).isEqualTo(violationCase.broken);
    }

    @Test
    void namesAConnectionThatIsLeft() throws SQLException {
        try (Connection left = database.connect()) {
            assertThat(left.isValid(1)).isTrue();
            assertThat(broken(audited(handwrittenRun -> {}))).containsExactly(Invariant.NO_CONNECTION_LEFT);
        }
    }

    @Test
    void namesALockThatIsLeft() throws SQLException {
        try (Connection holder = database.server().connect("");
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(
                    "INSERT INTO " + database.name() + ".acidq_lane (queue, lane, claimed_to) VALUES (9, 9, 0)");
            assertThat(broken(audited(handwrittenRun -> {}))).containsExactly(Invariant.NO_LOCK_LEFT);
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
    void printsTheWholeHistoryOfWhatIsBroken() throws SQLException {
        InvariantResults invariantResults = audited(ViolationCase.ATTEMPTS_THAT_FALL.runChange);
        assertThat(invariantResults.broken(Invariant.CLAIMS_RISE))
                .singleElement()
                .satisfies(history -> assertThat(history)
                        .contains("x lane=null seq=9 deed=PLAIN promised=OK booked=true keyed=true")
                        .contains(
                                "start of claim 1 by node 1 (process 1) attempt=1",
                                "start of claim 2",
                                "start of claim 3")
                        .contains("Effect[id=", "node=1, claimNo=3, lane=null, seq=9]"));
        assertThat(invariantResults.toString()).contains("CLAIMS_RISE", "start of claim 3");
    }

    @Test
    void seesInASnapshotWhatMustNotBeThereEvenForAMoment() throws SQLException {
        try (HandwrittenRun handwrittenRun = new HandwrittenRun(connection, folder)) {
            handwrittenRun.writeCorrectRun();
            assertThat(new SnapshotAudit().check(connection)).isEmpty();
            handwrittenRun.effect("plain", null, 1, 1, 1);
            handwrittenRun.hot("first", 0);
            handwrittenRun.hot("failing", 0);
            assertThat(new SnapshotAudit().check(connection))
                    .hasSize(3)
                    .contains("two effects: plain", "done and still there: first")
                    .anyMatch(guilty -> guilty.startsWith("in two places"));
        }
    }

    private InvariantResults audited(ViolationCase.RunChange runChange) throws SQLException {
        try (HandwrittenRun handwrittenRun = new HandwrittenRun(connection, folder)) {
            handwrittenRun.writeCorrectRun();
            runChange.change(handwrittenRun);
        }
        return new Auditor(folder, 4, 3, SOON).audit(connection);
    }

    private static Set<Invariant> broken(InvariantResults invariantResults) {
        return Arrays.stream(Invariant.values())
                .filter(i -> !invariantResults.broken(i).isEmpty())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Invariant.class)));
    }
}
