package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Login;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Vendor;
import io.acidq.benchmarks.workload.Producing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The process that places messages for workers in another one: candidate, vendor, URL, user, and what to place. */
final class ProducerMain {

    private static final String PASSWORD = "ACIDQ_BENCH_PASSWORD";
    private static final int OWN = 4;

    private ProducerMain() {}

    /** Its password goes by the environment: arguments are for everybody to see. */
    static Process start(Candidate candidate, Site site, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ProducerMain.class.getName(),
                candidate.name(),
                site.vendor().name(),
                site.login().url(),
                site.login().user()));
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process.environment().put(PASSWORD, site.login().password());
        return process.start();
    }

    public static void main(String[] args) throws Exception {
        Candidate candidate =
                Choice.of(List.of(), List.of(args[0])).candidates().get(0);
        String password = System.getenv().getOrDefault(PASSWORD, "");
        Login login = new Login(args[2], args[3], password);
        try (Site site = new Site(login, Vendor.valueOf(args[1]), Producing.crew());
                Bench bench = candidate.open(site)) {
            Producing.run(bench, List.of(args).subList(OWN, args.length), System.out);
        }
        System.exit(0); // whatever threads a candidate leaves
    }
}
