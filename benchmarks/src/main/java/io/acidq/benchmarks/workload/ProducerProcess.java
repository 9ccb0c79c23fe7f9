package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.CandidateDatabase.Crew;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** What another process is told to place, and what it tells of it: a line for each letter. */
public final class ProducerProcess {

    private static final String MARK = "placed ";

    private ProducerProcess() {}

    /**
     * Has another process of the same candidate place so many, from the first number on, and returns when it has ended.
     *
     * @param lead how long it is there before it places the first one
     */
    static void elsewhere(BenchmarkRun benchmarkRun, RunSizes.Flow flow, Duration lead, Latencies latencies)
            throws IOException, InterruptedException {
        Process process =
                benchmarkRun.elsewhere(BenchmarkRun.Role.PRODUCE, arguments(flow, lead, benchmarkRun.sizes()));
        try (BufferedReader lines = process.inputReader()) {
            read(lines, latencies);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("the producing process ended with " + code
                        + ": if it has not said why above, somebody killed it");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> arguments(RunSizes.Flow flow, Duration lead, RunSizes runSizes) {
        return List.of(
                Integer.toString(flow.perSecond()),
                Integer.toString(flow.seconds()),
                Integer.toString(runSizes.payload()),
                Long.toString(lead.toMillis()));
    }

    /** For the one who produces: of no workers. */
    public static Crew crew() {
        return new Crew(1, FixedRate.PRODUCERS, 1);
    }

    /** Places all that the arguments ask for. */
    public static void run(Bench bench, List<String> arguments, PrintStream out) throws Exception {
        RunSizes.Flow flow = new RunSizes.Flow(Integer.parseInt(arguments.get(0)), Integer.parseInt(arguments.get(1)));
        RunSizes.Age none = new RunSizes.Age(List.of(0L), RunSizes.Age.NOTHING, false);
        RunSizes runSizes = new RunSizes(1, flow, 1, Integer.parseInt(arguments.get(2)), none, Duration.ofMinutes(1));
        new FixedRate(
                        bench,
                        runSizes,
                        (id, intended, committed) -> out.println(MARK + id + " " + intended + " " + committed),
                        Duration.ofMillis(Long.parseLong(arguments.get(3))))
                .run();
        out.flush();
    }

    /** Reads what the other one has placed, until it ends. */
    private static void read(BufferedReader lines, Latencies latencies) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(MARK)) {
                String[] words = line.split(" ", -1);
                latencies.placed(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
        }
    }
}
