package io.acidq.engine;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineTests.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.telemetry.Telemetry;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A process that stops at each of its points, where the test kills or freezes it. */
final class PausingProcess extends EngineProcess {

    static final String FENCED = "fenced";

    private final Set<CrashPoint> points;

    PausingProcess(HikariDataSource database, Set<CrashPoint> points) {
        super(PausingProcess.class, database, points.stream().map(Enum::name).toArray(String[]::new));
        this.points = points;
    }

    boolean isPaused() {
        return points.stream().allMatch(p -> hasPrinted(p.name()));
    }

    void freeze() throws Exception {
        signal("STOP");
    }

    /** Lets the process go on from all of its points. */
    void resume() throws Exception {
        signal("CONT");
        proceed();
    }

    /** {@code args} are URL, user, password and points. */
    public static void main(String[] args) throws Exception {
        PausingListener pausingListener = new PausingListener();
        DataSource pool = SqlHook.over(pool(args, 40), pausingListener);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineTests.QUICK)
                .telemetry(new Telemetry() {
                    @Override
                    public void fenced(MessageId id) {
                        System.out.println(FENCED);
                    }
                });
        List<CrashPoint> points = Arrays.stream(args)
                .skip(3)
                .map(CrashPoint::valueOf)
                .filter(p -> !p.isOfEnqueuer())
                .toList();
        points.forEach(p -> builder.listen(listener(p, transactions, pausingListener)));
        Engine engine = builder.build();
        engine.start();
        Arrays.stream(args)
                .skip(3)
                .map(CrashPoint::valueOf)
                .filter(CrashPoint::isOfEnqueuer)
                .forEach(p -> enqueue(p, transactions, engine.queue()));
        for (int in = System.in.read(); in >= 0; in = System.in.read()) {
            pausingListener.go.countDown();
        }
        Runtime.getRuntime().halt(1); // the test has ended
    }

    private static Listener<Step> listener(
            CrashPoint point, JdbcTransactions transactions, PausingListener pausingListener) {
        return Listener.on(point.queue(), Step.class, (step, delivery) -> {
                    EngineTests.insertEffect(transactions.connection(), step, delivery.attempt());
                    if (point.isOfHandler()) {
                        pausingListener.at(point);
                    }
                    return Outcome.done();
                })
                .withRetry(EngineTests.ONE_ATTEMPT);
    }

    /** One business row, with 0 as its number, and one message, in one transaction. */
    private static void enqueue(CrashPoint point, JdbcTransactions transactions, MessageQueue queue) {
        new Thread(
                        () -> {
                            try {
                                transactions.run(() -> {
                                    EngineTests.insertEffect(transactions.connection(), new Step(point.queue(), 0), 0);
                                    queue.enqueue(point.queue(), new Step(point.queue(), 1));
                                });
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        "victim-" + point.queue())
                .start();
    }

    /** Prints the point that a thread reaches, and lets the thread wait until the test proceeds. */
    private static final class PausingListener implements SqlHook.SqlListener {

        final CountDownLatch go = new CountDownLatch(1);
        private final Set<CrashPoint> met = ConcurrentHashMap.newKeySet();

        @Override
        public void beforeCommit(List<String> statements) {
            CrashPoint.ofThisThread().filter(p -> p.isAt(statements, false)).ifPresent(this::at);
        }

        @Override
        public void afterCommit(List<String> statements) {
            CrashPoint.ofThisThread().filter(p -> p.isAt(statements, true)).ifPresent(this::at);
        }

        void at(CrashPoint point) {
            if (!met.add(point)) {
                return;
            }
            System.out.println(point);
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
