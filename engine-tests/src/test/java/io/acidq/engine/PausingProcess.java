package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A process that comes to stand still at each of its points, so that it can be killed or frozen exactly there. */
final class PausingProcess implements AutoCloseable {

    static final String FENCED = "fenced";

    private final Process process;
    private final Set<CrashPoint> points;
    private final Set<String> said = Collections.newSetFromMap(new ConcurrentHashMap<>());

    private PausingProcess(Process process, Set<CrashPoint> points) {
        this.process = process;
        this.points = points;
    }

    static PausingProcess start(EngineFixture engineFixture, Set<CrashPoint> points) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                PausingProcess.class.getName(),
                engineFixture.pool.getJdbcUrl(),
                engineFixture.pool.getUsername(),
                String.valueOf(engineFixture.pool.getPassword())));
        points.forEach(p -> command.add(p.name()));
        PausingProcess victim = new PausingProcess(
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                EnumSet.copyOf(points));
        Thread listening = new Thread(victim::listen, "victim-says");
        listening.setDaemon(true);
        listening.start();
        return victim;
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(said::add);
        } catch (IOException | RuntimeException e) { // it is killed: what it has said is all there is
        }
    }

    boolean isPaused() {
        return points.stream().allMatch(p -> said.contains(p.name()));
    }

    boolean hasSaid(String line) {
        return said.contains(line);
    }

    long pid() {
        return process.pid();
    }

    /** With SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void freeze() throws Exception {
        signal("STOP");
    }

    /** It goes on, from all of its points. */
    void resume() throws Exception {
        signal("CONT");
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private void signal(String name) throws Exception {
        int result = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (result != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + result);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself: URL, user, password and points are its arguments. */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[1]);
        config.setPassword(args[2]);
        config.setMaximumPoolSize(40);
        config.setMinimumIdle(0);
        PausingListener pausingListener = new PausingListener();
        DataSource pool = SqlHook.over(new HikariDataSource(config), pausingListener);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineFixture.QUICK)
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
        Runtime.getRuntime().halt(1); // the test is gone
    }

    private static Listener<Step> listener(
            CrashPoint point, JdbcTransactions transactions, PausingListener pausingListener) {
        return Listener.on(point.queue(), Step.class, (step, delivery) -> {
                    CrashingEngineProcess.insert(transactions.connection(), step, delivery);
                    if (point.isOfHandler()) {
                        pausingListener.at(point);
                    }
                    return Outcome.done();
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1));
    }

    /** One business row, with 0 as its number, and one message, in one transaction. */
    private static void enqueue(CrashPoint point, JdbcTransactions transactions, MessageQueue queue) {
        new Thread(
                        () -> {
                            try {
                                transactions.run(() -> {
                                    try (var insert = transactions
                                            .connection()
                                            .prepareStatement("INSERT INTO effect (k, seq, node) VALUES (?, 0, 0)")) {
                                        insert.setString(1, point.queue());
                                        insert.executeUpdate();
                                    }
                                    queue.enqueue(point.queue(), new Step(point.queue(), 1));
                                });
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        "victim-" + point.queue())
                .start();
    }

    /** Says where it is and waits to be told to go on; later it lets everybody pass. */
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
