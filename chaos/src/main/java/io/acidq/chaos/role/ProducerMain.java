package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A process that places errands until it is told to stop: URL, user, password, journal, name, threads, per second, seed, misdeeds, one in. */
final class ProducerMain {

    private ProducerMain() {}

    public static void main(String[] args) throws InterruptedException {
        ParentWatch.start();
        ProcessProtocol processProtocol = new ProcessProtocol(args[0], args[1], args[2]);
        int threads = Integer.parseInt(args[5]);
        Set<HandlerAction> misdeeds = EnumSet.noneOf(HandlerAction.class);
        for (String deed : args[8].split(",", 0)) {
            if (!deed.isEmpty()) {
                misdeeds.add(HandlerAction.valueOf(deed));
            }
        }
        ProducerBehaviour producerBehaviour = new ProducerBehaviour(
                Long.parseLong(args[7]), Integer.parseInt(args[6]), misdeeds, Integer.parseInt(args[9]));
        List<Thread> placing = new ArrayList<>();
        try (HikariDataSource pool = processProtocol.pool(threads + 2);
                Journal journal = Journal.open(Path.of(args[3]))) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine engine =
                    Engine.builder(MyBatisStore.over(pool, transactions)).build();
            for (int i = 0; i < threads; i++) {
                placing.add(new Thread(
                        new Producer(args[4] + '.' + i, transactions, engine.queue(), journal, producerBehaviour),
                        "producer-" + i));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> placing.forEach(ProducerMain::end)));
            placing.forEach(Thread::start);
            for (Thread thread : placing) {
                thread.join();
            }
        }
    }

    private static void end(Thread thread) {
        thread.interrupt();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
