package io.acidq.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.chaos.audit.InvariantResults;
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

/** The auditor names what each broken variant breaks; and under the same provocation it has nothing to say against the queue as it is. */
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

    /** In a build that is not full each is caught on one of the two servers: it is the auditor that is tested, which reads the same on both. */
    List<BrokenVariant> variants() {
        return Arrays.stream(BrokenVariant.values())
                .filter(v -> FullBuild.IS_ON || v.ordinal() % 2 == kind.ordinal() % 2)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void catchesByItsName(BrokenVariant brokenVariant) throws Exception {
        try (ScenarioContext scenarioContext = new ScenarioContext(database, folder, brokenVariant.flaw.get())) {
            brokenVariant.flawScenario.run(scenarioContext);
            InvariantResults invariantResults = scenarioContext.audit();
            assertThat(invariantResults.broken(brokenVariant.invariant))
                    .as("%s in\n%s%s", brokenVariant.invariant, invariantResults, scenarioContext.journals())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(BrokenVariant.class)
    void findsNothingWrongWithTheQueueAsItIs(BrokenVariant brokenVariant) throws Exception {
        try (ScenarioContext scenarioContext = new ScenarioContext(database, folder, Flaw.NONE)) {
            brokenVariant.flawScenario.run(scenarioContext);
            InvariantResults invariantResults = scenarioContext.audit();
            assertThat(invariantResults.holds())
                    .as("%s%s", invariantResults, scenarioContext.journals())
                    .isTrue();
            assertThat(invariantResults.checked(brokenVariant.invariant)).isPositive();
        }
    }
}
