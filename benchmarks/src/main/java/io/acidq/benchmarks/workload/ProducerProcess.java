package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Sends messages from another process, which reports each of them in a line of its output. */
public final class ProducerProcess {

    private static final String LINE_PREFIX = "sent ";

    private ProducerProcess() {}

    /**
     * Starts another process of the same candidate, which sends messages from id 0 on, and waits for its end.
     *
     * @param lead the time from its start to its first message
     */
    static void sendElsewhere(
            BenchmarkRun benchmarkRun, RunSizes.ArrivalRate arrivalRate, Duration lead, Latencies latencies)
            throws IOException, InterruptedException {
        Process process = benchmarkRun.startProcess(
                BenchmarkRun.Role.PRODUCE, arguments(arrivalRate, lead, benchmarkRun.sizes()));
        try (BufferedReader lines = process.inputReader()) {
            read(lines, latencies);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("the producing process ended with exit code " + code
                        + ". If its output above has no error, it was killed");
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

    /** The parallelism of the other process. */
    public static Parallelism parallelism() {
        return new Parallelism(1, FixedRate.PRODUCERS, 1);
    }

    /** Runs in the other process. */
    public static void run(CandidateAdapter adapter, List<String> arguments, PrintStream out) throws Exception {
        RunSizes.ArrivalRate arrivalRate =
                new RunSizes.ArrivalRate(Integer.parseInt(arguments.get(0)), Integer.parseInt(arguments.get(1)));
        RunSizes.TableAge none = new RunSizes.TableAge(List.of(0L), RunSizes.TableAge.NOTHING, false);
        RunSizes runSizes =
                new RunSizes(1, arrivalRate, 1, Integer.parseInt(arguments.get(2)), none, Duration.ofMinutes(1));
        new FixedRate(
                        adapter,
                        runSizes,
                        (id, planned, committed) -> out.println(LINE_PREFIX + id + " " + planned + " " + committed),
                        Duration.ofMillis(Long.parseLong(arguments.get(3))))
                .run();
        out.flush();
    }

    /** Reads the output of the other process to its end. */
    private static void read(BufferedReader lines, Latencies latencies) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LINE_PREFIX)) {
                String[] words = line.split(" ", -1);
                latencies.sent(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
        }
    }
}
