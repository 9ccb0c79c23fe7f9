package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Crew;
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
                try (CandidateDatabase candidateDatabase = site(login, args[1], ProducerProcess.crew());
                        Bench bench = candidate.open(candidateDatabase)) {
                    candidateDatabase.connect();
                    ProducerProcess.run(bench, arguments, System.out);
                }
            }
            case WORK -> {
                try (CandidateDatabase candidateDatabase = site(login, args[1], WorkerProcess.crew(arguments));
                        Bench bench = candidate.open(candidateDatabase)) {
                    WorkerProcess.run(candidateDatabase, bench, arguments);
                }
            }
        }
        System.exit(0); // whatever threads a candidate leaves
    }

    /** With one queue no server has too few connections. */
    private static CandidateDatabase site(Login login, String vendor, Crew crew) {
        return new CandidateDatabase(login, Vendor.valueOf(vendor), crew, crew.poolSize(Integer.MAX_VALUE));
    }
}
