package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** What another process is told to place, and what it tells of it: a line for each letter. */
public final class ProducerProcess {

    private static final String LINE_PREFIX = "placed ";

    private ProducerProcess() {}

    /**
     * Has another process of the same candidate place so many, from the first number on, and returns when it has ended.
     *
     * @param lead how long it is there before it places the first one
     */
    static void elsewhere(
            BenchmarkRun benchmarkRun, RunSizes.ArrivalRate arrivalRate, Duration lead, Latencies latencies)
            throws IOException, InterruptedException {
        Process process = benchmarkRun.startProcess(
                BenchmarkRun.Role.PRODUCE, arguments(arrivalRate, lead, benchmarkRun.sizes()));
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

    private static List<String> arguments(RunSizes.ArrivalRate arrivalRate, Duration lead, RunSizes runSizes) {
        return List.of(
                Integer.toString(arrivalRate.perSecond()),
                Integer.toString(arrivalRate.seconds()),
                Integer.toString(runSizes.payload()),
                Long.toString(lead.toMillis()));
    }

    /** For the one who produces: of no workers. */
    public static Parallelism parallelism() {
        return new Parallelism(1, FixedRate.PRODUCERS, 1);
    }

    /** Places all that the arguments ask for. */
    public static void run(CandidateAdapter candidateAdapter, List<String> arguments, PrintStream out)
            throws Exception {
        RunSizes.ArrivalRate arrivalRate =
                new RunSizes.ArrivalRate(Integer.parseInt(arguments.get(0)), Integer.parseInt(arguments.get(1)));
        RunSizes.TableAge none = new RunSizes.TableAge(List.of(0L), RunSizes.TableAge.NOTHING, false);
        RunSizes runSizes =
                new RunSizes(1, arrivalRate, 1, Integer.parseInt(arguments.get(2)), none, Duration.ofMinutes(1));
        new FixedRate(
                        candidateAdapter,
                        runSizes,
                        (id, intended, committed) -> out.println(LINE_PREFIX + id + " " + intended + " " + committed),
                        Duration.ofMillis(Long.parseLong(arguments.get(3))))
                .run();
        out.flush();
    }

    /** Reads what the other one has placed, until it ends. */
    private static void read(BufferedReader lines, Latencies latencies) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LINE_PREFIX)) {
                String[] words = line.split(" ", -1);
                latencies.placed(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
        }
    }
}
