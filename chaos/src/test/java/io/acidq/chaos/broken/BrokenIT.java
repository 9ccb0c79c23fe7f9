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
class BrokenIT {

    @Parameter
    private ServerKind kind;

    private TestDatabase database;

    @TempDir
    private Path folder;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        Stage.prepare(database);
    }

    @AfterParameterizedClassInvocation
    void close() {
        database.drop();
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void catchesByItsName(Variant variant) throws Exception {
        try (Stage stage = new Stage(database, folder, variant.flaw.get())) {
            variant.provocation.run(stage);
            InvariantResults invariantResults = stage.verdict();
            assertThat(invariantResults.broken(variant.invariant))
                    .as("%s in\n%s%s", variant.invariant, invariantResults, stage.journals())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void findsNothingWrongWithTheQueueAsItIs(Variant variant) throws Exception {
        try (Stage stage = new Stage(database, folder, Flaw.NONE)) {
            variant.provocation.run(stage);
            InvariantResults invariantResults = stage.verdict();
            assertThat(invariantResults.holds())
                    .as("%s%s", invariantResults, stage.journals())
                    .isTrue();
            assertThat(invariantResults.checked(variant.invariant)).isPositive();
        }
    }
}
