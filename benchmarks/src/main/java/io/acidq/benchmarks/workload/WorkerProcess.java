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
 * A process that works off a backlog, one of several. It says that it is ready; begins at a line of input; says under which number it works when its
 * first handler has begun, or that there was nothing to do; lets its handlers go on at a second line, for else the first process would have done all
 * before the last is up; and stops in good order at the end of its input.
 */
public final class WorkerProcess {

    private static final String READY = "ready";
    private static final String WORKS = "works as ";
    private static final String IDLE = "idle";
    private static final int PATIENCE_SECONDS = 30;

    private WorkerProcess() {}

    static List<String> arguments(RunSizes runSizes) {
        return List.of(Integer.toString(runSizes.workers()), Long.toString(runSizes.messages()));
    }

    /** For the one who works. */
    public static Parallelism parallelism(List<String> arguments) {
        return new Parallelism(Integer.parseInt(arguments.get(0)), 0, 1);
    }

    /** Works as the arguments and its input ask for. */
    public static void run(
            CandidateDatabase candidateDatabase, CandidateAdapter candidateAdapter, List<String> arguments)
            throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(1);
        HandlerLog.BeforeHandler waits = id -> {
            begun.countDown();
            all.await();
        };
        HandlerLog handlerLog = new HandlerLog(
                candidateDatabase.pool(candidateDatabase.workers(), true),
                Long.parseLong(arguments.get(1)),
                new HandlerLog.HandlerBehaviour(HandlerLog.HandlerListener.NONE, waits, id -> true, false));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        input.readLine();
        candidateAdapter.start(candidateDatabase.workers(), handlerLog);
        boolean works = begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        System.out.println(works ? WORKS + candidateAdapter.node() : IDLE);
        input.readLine();
        all.countDown();
        input.readLine();
        candidateAdapter.stop();
    }

    /** Waits until another one is ready. */
    static void awaitReady(BufferedReader its) throws IOException {
        await(its, READY);
    }

    /**
     * Waits until another one has begun its first message.
     *
     * @return its number among the candidate's nodes
     * @throws IllegalStateException when it found none to do
     */
    static int awaitWork(BufferedReader its) throws IOException {
        String line = await(its, WORKS, IDLE);
        if (line.equals(IDLE)) {
            throw new IllegalStateException("a process found no message to do in " + PATIENCE_SECONDS
                    + " s, for the others had claimed all: ask for more --messages");
        }
        return Integer.parseInt(line.substring(WORKS.length()));
    }

    private static String await(BufferedReader its, String... words) throws IOException {
        for (String line = its.readLine(); line != null; line = its.readLine()) {
            if (Stream.of(words).anyMatch(line::startsWith)) {
                return line;
            }
        }
        throw new IllegalStateException("a working process ended before it said '" + String.join("' or '", words)
                + "': if it has not said why above, somebody killed it");
    }
}
