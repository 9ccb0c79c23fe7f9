package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Login;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.candidate.Vendor;
import io.acidq.benchmarks.workload.Producing;
import io.acidq.benchmarks.workload.Stage.Role;
import io.acidq.benchmarks.workload.Working;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process of a candidate, which places messages or works them off: candidate, vendor, URL, user, the role, and how. */
final class OtherMain {

    private static final String PASSWORD = "ACIDQ_BENCH_PASSWORD";
    private static final int OWN = 5;

    private OtherMain() {}

    /** Its password goes by the environment: arguments are for everybody to see. */
    static Process start(Candidate candidate, Site site, Role role, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                OtherMain.class.getName(),
                candidate.name(),
                site.vendor().name(),
                site.login().url(),
                site.login().user(),
                role.name()));
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
        List<String> arguments = List.of(args).subList(OWN, args.length);
        switch (Role.valueOf(args[OWN - 1])) {
            case PRODUCE -> {
                try (Site site = site(login, args[1], Producing.crew());
                        Bench bench = candidate.open(site)) {
                    site.connect();
                    Producing.run(bench, arguments, System.out);
                }
            }
            case WORK -> {
                try (Site site = site(login, args[1], Working.crew(arguments));
                        Bench bench = candidate.open(site)) {
                    Working.run(site, bench, arguments);
                }
            }
        }
        System.exit(0); // whatever threads a candidate leaves
    }

    /** With one queue no server has too few connections. */
    private static Site site(Login login, String vendor, Crew crew) {
        return new Site(login, Vendor.valueOf(vendor), crew, crew.poolSize(Integer.MAX_VALUE));
    }
}
