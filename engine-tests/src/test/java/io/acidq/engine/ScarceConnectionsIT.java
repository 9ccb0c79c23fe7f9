package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An engine whose account may have fewer connections than its pool and its workers want. */
class ScarceConnectionsIT extends FreshEngineTests {

    private static final String Q = "scarce";
    private static final int MESSAGES = 200;
    private static final int ALLOWED = 6;

    @BeforeEach
    void createAccount() {
        sql("CREATE USER scarce@'%' IDENTIFIED BY 'scarce' WITH MAX_USER_CONNECTIONS " + ALLOWED);
        sql("GRANT ALL ON " + strings("SELECT DATABASE()").get(0) + ".* TO scarce@'%'");
    }

    @AfterEach
    void dropAccount() {
        sql("DROP USER scarce@'%'");
    }

    /** Half of the messages became dead letters, most of them without having run. */
    @Test
    void usesUpNoAttemptsForRefusedConnections() throws Exception {
        List<NewMessage> messages = LongStream.range(0, MESSAGES)
                .mapToObj(i -> new NewMessage(new Step("m", i), options()))
                .toList();
        enqueueAll(Q, messages);
        try (HikariDataSource pool = pool()) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine engine = Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(QUICK)
                    .listen(on(Q, (step, delivery) -> {
                                try (var statement = transactions.connection().createStatement()) {
                                    statement.execute("DO SLEEP(0.02)"); // keeps a connection busy
                                    statement.execute("INSERT INTO effect (k, seq, tag) VALUES ('m', " + step.seq()
                                            + ", " + delivery.attempt() + ")");
                                }
                                return Outcome.done();
                            })
                            .withConcurrency(12)
                            .withRetry(ONE_ATTEMPT))
                    .build();
            engine.start();
            awaitDrained();
            engine.close();
        }
        assertThat(deadLetters().list(Q, 10)).isEmpty();
        assertEachEffectOnce(MESSAGES);
        assertNoAttemptUsedUp();
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(pool.getJdbcUrl());
        config.setUsername("scarce");
        config.setPassword("scarce");
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(500);
        return new HikariDataSource(config);
    }
}
