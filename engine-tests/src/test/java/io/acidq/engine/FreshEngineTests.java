package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.testservers.ServerKind;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Tests on each kind of server, each test on a database of its own. */
@ParameterizedClass
@ArgumentsSource(AnyServer.Servers.class)
abstract class FreshEngineTests extends EngineTests {

    @Parameter
    ServerKind kind;

    @BeforeEach
    void openDatabase() {
        open(kind);
    }

    /** Opens another database with another pool, and with something between the pool and the engines. */
    void reopen(Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        closeDatabase();
        open(kind, tuning, between);
    }

    @AfterEach
    @Override
    void closeDatabase() {
        super.closeDatabase();
    }
}
