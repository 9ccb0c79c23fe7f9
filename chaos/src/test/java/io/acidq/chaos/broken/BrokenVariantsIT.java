package io.acidq.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.broken.BrokenVariant.Flaw;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The auditor names the invariant that each broken variant breaks, and accepts the real queue in the same scenario. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenVariantsIT {

    @Parameter
    private ServerKind kind;

    private TestDatabase database;

    @TempDir
    private Path folder;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        ScenarioContext.prepare(database);
    }

    @AfterParameterizedClassInvocation
    void close() {
        database.drop();
    }

    /** Without {@code -Pfull}, each variant runs on one of the two servers, because the auditor reads the same on both. */
    List<BrokenVariant> variants() {
        return Arrays.stream(BrokenVariant.values())
                .filter(v -> FullBuild.IS_ON || v.ordinal() % 2 == kind.ordinal() % 2)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void namesTheBrokenInvariant(BrokenVariant brokenVariant) throws Exception {
        try (ScenarioContext scenario = new ScenarioContext(database, folder, brokenVariant.flaw.get())) {
            brokenVariant.flawScenario.run(scenario);
            InvariantResults results = scenario.audit();
            assertThat(results.broken(brokenVariant.invariant))
                    .as("%s in\n%s%s", brokenVariant.invariant, results, scenario.journals())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void acceptsTheRealQueue(BrokenVariant brokenVariant) throws Exception {
        try (ScenarioContext scenario = new ScenarioContext(database, folder, Flaw.NONE)) {
            brokenVariant.flawScenario.run(scenario);
            InvariantResults results = scenario.audit();
            assertThat(results.holds()).as("%s%s", results, scenario.journals()).isTrue();
            assertThat(results.checked(brokenVariant.invariant)).isPositive();
        }
    }
}
