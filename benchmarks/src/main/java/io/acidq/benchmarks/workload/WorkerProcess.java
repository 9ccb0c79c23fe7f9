package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One of several processes that work off a backlog. It reports that it is ready and starts at a line of input. When its first handler has started,
 * it reports its node number, or that it found no message. Its handlers continue at a second line, because the first process would otherwise do all
 * messages before the last one has started. It stops at the end of its input.
 */
public final class WorkerProcess {

    private static final String READY = "ready";
    private static final String STARTED = "started as ";
    private static final String IDLE = "idle";
    private static final int TIMEOUT_SECONDS = 30;

    private WorkerProcess() {}

    static List<String> arguments(RunSizes runSizes) {
        return List.of(Integer.toString(runSizes.workers()), Long.toString(runSizes.messages()));
    }

    /** The parallelism of the process. */
    public static Parallelism parallelism(List<String> arguments) {
        return new Parallelism(Integer.parseInt(arguments.get(0)), 0, 1);
    }

    /** Runs in the process. */
    public static void run(CandidateDatabase database, CandidateAdapter adapter, List<String> arguments)
            throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayContinue = new CountDownLatch(1);
        HandlerLog.BeforeHandler waits = id -> {
            started.countDown();
            mayContinue.await();
        };
        HandlerLog handlerLog = new HandlerLog(
                database.pool(database.workers(), true),
                Long.parseLong(arguments.get(1)),
                new HandlerLog.HandlerBehaviour(HandlerLog.HandlerListener.NONE, waits, id -> true, false));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        input.readLine();
        adapter.start(database.workers(), handlerLog);
        boolean hasStarted = started.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        System.out.println(hasStarted ? STARTED + adapter.node() : IDLE);
        input.readLine();
        mayContinue.countDown();
        input.readLine();
        adapter.stop();
    }

    /** Waits until a process is ready. */
    static void awaitReady(BufferedReader output) throws IOException {
        await(output, READY);
    }

    /**
     * Waits until a process has started its first message.
     *
     * @return its node number
     * @throws IllegalStateException if it found no message
     */
    static int awaitWork(BufferedReader output) throws IOException {
        String line = await(output, STARTED, IDLE);
        if (line.equals(IDLE)) {
            throw new IllegalStateException("a process found no message in " + TIMEOUT_SECONDS
                    + " s, because the others had claimed all: use more --messages");
        }
        return Integer.parseInt(line.substring(STARTED.length()));
    }

    private static String await(BufferedReader output, String... words) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (Stream.of(words).anyMatch(line::startsWith)) {
                return line;
            }
        }
        throw new IllegalStateException("a working process ended before it wrote '" + String.join("' or '", words)
                + "'. If its output above has no error, it was killed");
    }
}
