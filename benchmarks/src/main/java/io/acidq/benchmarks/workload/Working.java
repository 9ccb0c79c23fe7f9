package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Site.Crew;
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
public final class Working {

    private static final String READY = "ready";
    private static final String WORKS = "works as ";
    private static final String IDLE = "idle";
    private static final int PATIENCE_SECONDS = 30;

    private Working() {}

    static List<String> arguments(Sizes sizes) {
        return List.of(Integer.toString(sizes.workers()), Long.toString(sizes.messages()));
    }

    /** For the one who works. */
    public static Crew crew(List<String> arguments) {
        return new Crew(Integer.parseInt(arguments.get(0)), 0, 1);
    }

    /** Works as the arguments and its input ask for. */
    public static void run(Site site, Bench bench, List<String> arguments) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(1);
        Tally.Before waits = id -> {
            begun.countDown();
            all.await();
        };
        Tally tally = new Tally(
                site.pool(site.workers(), true),
                Long.parseLong(arguments.get(1)),
                new Tally.Manner(Tally.Watch.NONE, waits, id -> true, false));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        input.readLine();
        bench.start(site.workers(), tally);
        boolean works = begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        System.out.println(works ? WORKS + bench.node() : IDLE);
        input.readLine();
        all.countDown();
        input.readLine();
        bench.stop();
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
