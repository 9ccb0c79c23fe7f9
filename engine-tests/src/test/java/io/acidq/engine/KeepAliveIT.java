package io.acidq.engine;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import org.junit.jupiter.api.Test;

/** Processes whose main method ends right after the start of their engine. */
class KeepAliveIT extends FreshEngineTests {

    private static final String Q = "kept-alive";
    private static final String MAIN_ENDS = "main ends";
    private static final String CLOSED = "closed";

    @Test
    void aProcessThatOnlyListensRunsUntilItIsTerminatedAndThenStopsInOrder() throws Exception {
        try (EngineProcess process = new EngineProcess(ServingProcess.class, pool, "serve")) {
            awaitUntil(() -> process.hasPrinted(MAIN_ENDS));
            enqueue(Q, new Step("after-main", 1));
            awaitRows("effect", 1);
            process.signal("TERM");
            process.awaitExit();
            awaitUntil(() -> process.hasPrinted(CLOSED));
        }
    }

    @Test
    void aProcessEndsWhenItsEngineIsStoppedOrItsStartFails() throws Exception {
        try (EngineProcess process = new EngineProcess(ServingProcess.class, pool, "end")) {
            process.awaitExit();
            awaitUntil(() -> process.hasPrinted(CLOSED));
            awaitUntil(() -> process.hasPrinted("no thread"));
        }
    }

    /** {@code args} are URL, user, password, and whether to serve or to end. */
    static final class ServingProcess {

        public static void main(String[] args) {
            HikariDataSource pool = EngineProcess.pool(args, 10);
            Engine engine = builder(pool).build();
            engine.start();
            if (args[3].equals("serve")) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> close(engine)));
                System.out.println(MAIN_ENDS);
                return;
            }
            close(engine);
            try {
                builder(pool)
                        .workerThreads(work -> {
                            throw new IllegalStateException("no thread");
                        })
                        .build()
                        .start();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }

        private static void close(Engine engine) {
            if (engine.stop(PATIENCE)) {
                System.out.println(CLOSED);
            }
        }

        private static EngineBuilder builder(HikariDataSource pool) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            return Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(QUICK)
                    .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                        insertEffect(transactions.connection(), step, delivery.attempt());
                        return Outcome.done();
                    }));
        }
    }
}
