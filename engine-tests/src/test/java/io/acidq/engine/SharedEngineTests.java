package io.acidq.engine;

import io.acidq.testservers.ServerKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Tests on each kind of server that share a database; engines and messages of a test are removed after it. */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@ArgumentsSource(AnyServer.Servers.class)
abstract class SharedEngineTests extends EngineTests {

    @Parameter
    ServerKind kind;

    @BeforeParameterizedClassInvocation
    void openDatabase() {
        open(kind);
    }

    @AfterEach
    void removeEnginesAndMessages() {
        closeEngines();
        List.of("acidq_message", "acidq_scheduled", "acidq_dead", "effect")
                .forEach(table -> sql("DELETE FROM " + table));
    }

    @AfterParameterizedClassInvocation
    @Override
    void closeDatabase() {
        super.closeDatabase();
    }
}
