package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.CandidateDatabase.Vendor;
import io.acidq.benchmarks.candidate.DatabaseLogin;
import io.acidq.benchmarks.workload.BenchmarkRun.Role;
import io.acidq.benchmarks.workload.ProducerProcess;
import io.acidq.benchmarks.workload.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that sends messages or works them off. Arguments: candidate, vendor, URL, user, role, and those of the role. */
final class BenchmarkProcessMain {

    private static final String PASSWORD = "ACIDQ_BENCH_PASSWORD";
    private static final int COMMON_ARGUMENTS = 5;

    private BenchmarkProcessMain() {}

    /** Starts the process. The password is passed in the environment, because all users can read the arguments. */
    static Process start(Candidate candidate, CandidateDatabase database, Role role, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                BenchmarkProcessMain.class.getName(),
                candidate.name(),
                database.vendor().name(),
                database.login().url(),
                database.login().user(),
                role.name()));
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process.environment().put(PASSWORD, database.login().password());
        return process.start();
    }

    public static void main(String[] args) throws Exception {
        Candidate candidate =
                CandidateSelection.of(List.of(), List.of(args[0])).candidates().get(0);
        String password = System.getenv().getOrDefault(PASSWORD, "");
        DatabaseLogin login = new DatabaseLogin(args[2], args[3], password);
        List<String> arguments = List.of(args).subList(COMMON_ARGUMENTS, args.length);
        switch (Role.valueOf(args[COMMON_ARGUMENTS - 1])) {
            case PRODUCE -> {
                try (CandidateDatabase database = database(login, args[1], ProducerProcess.parallelism());
                        CandidateAdapter adapter = candidate.open(database)) {
                    database.connect();
                    ProducerProcess.run(adapter, arguments, System.out);
                }
            }
            case WORK -> {
                try (CandidateDatabase database = database(login, args[1], WorkerProcess.parallelism(arguments));
                        CandidateAdapter adapter = candidate.open(database)) {
                    WorkerProcess.run(database, adapter, arguments);
                }
            }
        }
        System.exit(0); // also ends threads that a candidate has left
    }

    /** Assumes that the server accepts enough connections, because there is only one queue. */
    private static CandidateDatabase database(DatabaseLogin login, String vendor, Parallelism parallelism) {
        return new CandidateDatabase(
                login, Vendor.valueOf(vendor), parallelism, parallelism.poolSize(Integer.MAX_VALUE));
    }
}
