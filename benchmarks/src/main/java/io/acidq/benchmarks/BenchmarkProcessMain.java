package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Login;
import io.acidq.benchmarks.candidate.Vendor;
import io.acidq.benchmarks.workload.BenchmarkRun.Role;
import io.acidq.benchmarks.workload.ProducerProcess;
import io.acidq.benchmarks.workload.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process of a candidate, which places messages or works them off: candidate, vendor, URL, user, the role, and how. */
final class BenchmarkProcessMain {

    private static final String PASSWORD = "ACIDQ_BENCH_PASSWORD";
    private static final int OWN = 5;

    private BenchmarkProcessMain() {}

    /** Its password goes by the environment: arguments are for everybody to see. */
    static Process start(Candidate candidate, CandidateDatabase candidateDatabase, Role role, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                BenchmarkProcessMain.class.getName(),
                candidate.name(),
                candidateDatabase.vendor().name(),
                candidateDatabase.login().url(),
                candidateDatabase.login().user(),
                role.name()));
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process.environment().put(PASSWORD, candidateDatabase.login().password());
        return process.start();
    }

    public static void main(String[] args) throws Exception {
        Candidate candidate =
                CandidateSelection.of(List.of(), List.of(args[0])).candidates().get(0);
        String password = System.getenv().getOrDefault(PASSWORD, "");
        Login login = new Login(args[2], args[3], password);
        List<String> arguments = List.of(args).subList(OWN, args.length);
        switch (Role.valueOf(args[OWN - 1])) {
            case PRODUCE -> {
                try (CandidateDatabase candidateDatabase = database(login, args[1], ProducerProcess.parallelism());
                        CandidateAdapter candidateAdapter = candidate.open(candidateDatabase)) {
                    candidateDatabase.connect();
                    ProducerProcess.run(candidateAdapter, arguments, System.out);
                }
            }
            case WORK -> {
                try (CandidateDatabase candidateDatabase =
                                database(login, args[1], WorkerProcess.parallelism(arguments));
                        CandidateAdapter candidateAdapter = candidate.open(candidateDatabase)) {
                    WorkerProcess.run(candidateDatabase, candidateAdapter, arguments);
                }
            }
        }
        System.exit(0); // whatever threads a candidate leaves
    }

    /** With one queue no server has too few connections. */
    private static CandidateDatabase database(Login login, String vendor, Parallelism parallelism) {
        return new CandidateDatabase(
                login, Vendor.valueOf(vendor), parallelism, parallelism.poolSize(Integer.MAX_VALUE));
    }
}
