package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine whose account may have fewer connections than its pool and its workers want. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ScarceConnectionsIT {

    private static final String Q = "scarce";
    private static final int MESSAGES = 200;
    private static final int ALLOWED = 6;

    private final ServerKind kind;
    private EngineFixture engineFixture;

    ScarceConnectionsIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
        engineFixture.sql("CREATE USER scarce@'%' IDENTIFIED BY 'scarce' WITH MAX_USER_CONNECTIONS " + ALLOWED);
        engineFixture.sql(
                "GRANT ALL ON " + engineFixture.strings("SELECT DATABASE()").get(0) + ".* TO scarce@'%'");
    }

    @AfterEach
    void close() {
        engineFixture.sql("DROP USER scarce@'%'");
        engineFixture.close();
    }

    /** Half of the messages became dead letters, most of them without having run. */
    @Test
    void burnsNoAttemptsForConnectionsThatAreNotGiven() throws Exception {
        List<NewMessage> messages = LongStream.range(0, MESSAGES)
                .mapToObj(i -> new NewMessage(new Step("m", i), options()))
                .toList();
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(Q, messages));
        try (HikariDataSource pool = pool()) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine engine = Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(EngineFixture.QUICK)
                    .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                                try (var statement = transactions.connection().createStatement()) {
                                    statement.execute("DO SLEEP(0.02)"); // what holds connections
                                    statement.execute("INSERT INTO effect (k, seq, node) VALUES ('m', " + step.seq()
                                            + ", " + delivery.attempt() + ")");
                                }
                                return Outcome.done();
                            })
                            .withConcurrency(12)
                            .withRetry(RetryPolicy.defaults().withMaxAttempts(1)))
                    .build();
            engine.start();
            engineFixture.drained();
            engine.close();
        }
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
        assertThat(engineFixture.strings("SELECT seq FROM effect"))
                .hasSize(MESSAGES)
                .doesNotHaveDuplicates();
        assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                .as("no attempt was burnt")
                .containsExactly("1");
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(engineFixture.pool.getJdbcUrl());
        config.setUsername("scarce");
        config.setPassword("scarce");
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(500);
        return new HikariDataSource(config);
    }
}
