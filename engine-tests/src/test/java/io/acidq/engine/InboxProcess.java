package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that dies in the middle of its work: after the effects, before the commit. */
final class InboxProcess implements AutoCloseable {

    static final String KEY = "fatal";
    private static final String INSIDE = "inside";

    private final Process process;

    private InboxProcess(Process process) {
        this.process = process;
    }

    static InboxProcess start(HikariDataSource database) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InboxProcess.class.getName(),
                        database.getJdbcUrl(),
                        database.getUsername(),
                        database.getPassword()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new InboxProcess(process);
    }

    /** Waits until the work has run. */
    void awaitWork() throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); !INSIDE.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new AssertionError("the process ended before its work");
            }
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("not even a kill ends it");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself: database, user and password are its arguments. It waits inside its work until it is killed. */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[1]);
        config.setPassword(args.length > 2 ? args[2] : "");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine engine =
                    Engine.builder(MyBatisStore.over(pool, transactions)).build();
            transactions.run(() -> engine.inbox().once("billing", KEY, () -> {
                try (var insert = transactions.connection().createStatement()) {
                    insert.executeUpdate("INSERT INTO effect (k, seq, node) VALUES ('" + KEY + "', 1, 0)");
                }
                System.out.println(INSIDE);
                System.in.read(); // never answered
            }));
        }
    }
}
