package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Site.Crew;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A process that works off a backlog, one of several. It says that it is ready, begins at a line of input, says that it works when the first
 * message is done or all were gone, and stops in good order at the end of its input.
 */
public final class Working {

    private static final String READY = "ready";
    private static final String WORKS = "works";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

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
        Tally tally = new Tally(site.pool(site.workers(), true), Long.parseLong(arguments.get(1)), Tally.Manner.PLAIN);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        input.readLine();
        bench.start(site.workers(), tally);
        tally.await(1, PATIENCE, (done, of) -> {});
        System.out.println(WORKS);
        input.readLine();
        bench.stop();
    }

    /** Waits until another one is ready. */
    static void awaitReady(BufferedReader its) throws IOException {
        await(its, READY);
    }

    /** Waits until another one has done its first message. */
    static void awaitWork(BufferedReader its) throws IOException {
        await(its, WORKS);
    }

    private static void await(BufferedReader its, String word) throws IOException {
        String line = its.readLine();
        while (line != null && !line.equals(word)) {
            line = its.readLine();
        }
        if (line == null) {
            throw new IllegalStateException("a working process ended before it said '" + word + "'; it has said why");
        }
    }
}
