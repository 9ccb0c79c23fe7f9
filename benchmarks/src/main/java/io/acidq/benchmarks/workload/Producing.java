package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Site.Crew;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** What another process is told to place, and what it tells of it: a line for each letter. */
public final class Producing {

    private static final String MARK = "placed ";

    private Producing() {}

    static List<String> arguments(Sizes sizes) {
        return List.of(
                Integer.toString(sizes.flow().perSecond()),
                Integer.toString(sizes.flow().seconds()),
                Integer.toString(sizes.payload()));
    }

    /** For the one who produces: of no workers. */
    public static Crew crew() {
        return new Crew(1, FixedRate.PRODUCERS, 1);
    }

    /** Places all that the arguments ask for. */
    public static void run(Bench bench, List<String> arguments, PrintStream out) throws Exception {
        Sizes.Flow flow = new Sizes.Flow(Integer.parseInt(arguments.get(0)), Integer.parseInt(arguments.get(1)));
        Sizes.Age none = new Sizes.Age(List.of(0L), Sizes.Age.NOTHING, false);
        Sizes sizes = new Sizes(1, flow, 1, Integer.parseInt(arguments.get(2)), none, Duration.ofMinutes(1));
        new FixedRate(
                        bench,
                        sizes,
                        (id, intended, committed) -> out.println(MARK + id + " " + intended + " " + committed))
                .run();
        out.flush();
    }

    /** Reads what the other one has placed, until it ends. */
    static void read(BufferedReader lines, Latencies latencies) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(MARK)) {
                String[] words = line.split(" ", -1);
                latencies.placed(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
        }
    }
}
