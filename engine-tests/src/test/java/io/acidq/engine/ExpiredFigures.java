package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;

import io.acidq.NewMessage;
import io.acidq.config.QueueConfig;
import io.acidq.config.QueueConfig.ExpiryAction;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the figures of docs/en/after-the-enqueue.md, and is no part of the build: {@code mvn verify -pl engine-tests -am -Dit.test=ExpiredFigures
 * -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
class ExpiredFigures extends FreshEngineTests {

    private static final Logger log = LoggerFactory.getLogger(ExpiredFigures.class);
    private static final int MANY = 10_000;
    private static final String Q = "offers";

    private final AtomicInteger statements = new AtomicInteger();
    private final AtomicInteger commits = new AtomicInteger();

    @AfterEach
    void closeBeforeTheHook() {
        closeEngines();
    }

    @ParameterizedTest
    @EnumSource(ExpiryAction.class)
    void endsTenThousandExpiredMessages(ExpiryAction action) throws Exception {
        reopen(
                config -> {},
                pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
                    @Override
                    public void before(Connection raw, String sql) {
                        (sql.equals("COMMIT") ? commits : statements).incrementAndGet();
                    }
                }));
        List<NewMessage> bulk = IntStream.range(0, MANY)
                .mapToObj(i -> new NewMessage(new Step("m", i), options().expiresAfter(Duration.ofMillis(1))))
                .toList();
        transactions.run(() -> queue().enqueueAll(Q, bulk));
        awaitRows("acidq_message WHERE expires_at > UTC_TIMESTAMP(6)", 0);
        statements.set(0);
        commits.set(0);
        long begin = System.nanoTime();
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnExpiry(action)))
                .listen(on(Q, this::effect)));
        awaitRows("acidq_message WHERE kind = 0", 0);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        log.info(
                "FIGURE {} {}: {} expired messages in {} ms, {} statements, {} commits",
                kind,
                action,
                MANY,
                took.toMillis(),
                statements,
                commits);
    }
}
