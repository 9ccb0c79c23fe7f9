package io.acidq.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.chaos.audit.InvariantResults;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    @ParameterizedTest
    @EnumSource(BrokenVariant.class)
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
