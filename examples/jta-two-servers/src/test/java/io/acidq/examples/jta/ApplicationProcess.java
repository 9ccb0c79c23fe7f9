package io.acidq.examples.jta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.MysqlXADataSource;
import io.acidq.testservers.TestDatabase;
import io.agroal.api.AgroalDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The application in a process of its own, which can be killed. */
record ApplicationProcess(Process process, BufferedReader lines) implements AutoCloseable {

    /** Starts one that pauses when its first transaction over both servers is prepared, if it is to place orders. */
    static ApplicationProcess start(Path log, TestDatabase queue, TestDatabase other, int orders) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ApplicationProcess.class.getName(),
                        log.toString(),
                        queue.server().jdbcUrl(queue.name()),
                        queue.server().username(),
                        queue.server().password(),
                        other.server().jdbcUrl(other.name()),
                        other.server().username(),
                        other.server().password(),
                        Integer.toString(orders),
                        nodeOf(queue)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new ApplicationProcess(process, process.inputReader(UTF_8));
    }

    public static void main(String[] args) throws Exception {
        int orders = Integer.parseInt(args[7]);
        var driver = orders > 0 ? PausingXaDataSource.class : MysqlXADataSource.class;
        Server queue = new Server(args[1], args[2], args[3], driver);
        Server other = new Server(args[4], args[5], args[6], driver);
        Coordinator coordinator = new Coordinator(Path.of(args[0]), args[8], queue, other);
        AgroalDataSource effects = coordinator.enlisted(queue);
        TwoServers servers = new TwoServers(coordinator.transactions(), queue, effects, coordinator.enlisted(other));
        if (orders > 0) {
            servers.place(orders);
        }
        Thread.currentThread().join();
    }

    /** Both processes of this test have it, and those of no other test run: a process ends only the branches with its own name. */
    static String nodeOf(TestDatabase queue) {
        return queue.name();
    }

    void awaitPrepared() throws IOException {
        String line = lines.readLine();
        while (line != null && !line.equals(PausingXaDataSource.PREPARED)) {
            line = lines.readLine();
        }
        assertThat(line).as("the application ended before it had prepared").isNotNull();
    }

    void goOn() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
