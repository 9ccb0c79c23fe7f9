package io.acidq.examples.plain;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A process that only runs messages of the given queues, until it is stopped. Where the database is comes from the
 * environment: ACIDQ_URL, ACIDQ_USER, ACIDQ_PASSWORD; ACIDQ_WORKERS is how many run at once for each queue.
 */
public final class Worker {

    private static final String USAGE = "usage: Worker QUEUE[:QUEUE…], for example: Worker invoice.sent:invoice.due";

    private Worker() {}

    // snippet:worker
    public static void main(String[] args) throws InterruptedException {
        List<String> queues = queues(args);
        HikariDataSource dataSource = pool(System.getenv(), queues.size());
        Engine engine = engine(dataSource, queues, workers(System.getenv()));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> { // SIGTERM: running handlers finish, the rest is requeued
                            engine.close();
                            dataSource.close();
                            stopped.countDown();
                        }));
        engine.start();
        System.out.println("node " + engine.node() + " runs " + queues);
        stopped.await();
    }
    // /snippet

    /** The queues that the arguments name. */
    static List<String> queues(String... args) {
        if (args.length != 1 || args[0].isBlank()) {
            throw new IllegalArgumentException(USAGE);
        }
        return List.of(args[0].split(":"));
    }

    private static Engine engine(HikariDataSource dataSource, List<String> queues, int workers) {
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        EngineBuilder builder = Engine.builder(MyBatisStore.over(dataSource, transactions));
        for (String queue : queues) {
            builder.listen(Listener.on(queue, Invoice.class, (invoice, delivery) -> {
                        Books.book(transactions.connection(), invoice);
                        return Outcome.done();
                    })
                    .withConcurrency(workers));
        }
        return builder.build();
    }

    private static HikariDataSource pool(Map<String, String> environment, int queues) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(needed(environment, "ACIDQ_URL"));
        config.setUsername(needed(environment, "ACIDQ_USER"));
        config.setPassword(environment.getOrDefault("ACIDQ_PASSWORD", ""));
        config.setMaximumPoolSize(queues * (workers(environment) + 1) + 4); // docs/en/configuration.md says of what
        return new HikariDataSource(config);
    }

    private static int workers(Map<String, String> environment) {
        return Integer.parseInt(environment.getOrDefault("ACIDQ_WORKERS", "4"));
    }

    private static String needed(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("set " + name + " in the environment. " + USAGE);
        }
        return value;
    }
}
