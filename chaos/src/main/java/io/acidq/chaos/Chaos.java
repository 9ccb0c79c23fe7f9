package io.acidq.chaos;

import io.acidq.chaos.audit.Auditor;
import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.TargetServer;
import io.acidq.chaos.fault.FaultSchedule;
import io.acidq.testservers.FakeClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The main class. Exit code 0: every invariant holds and every fault has struck. 1: this is not so. 2: the run was not possible. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "Injects faults into a running AcidQ and audits the result.")
public final class Chaos implements Callable<Integer> {

    private static final Duration DRAIN = Duration.ofMinutes(3);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final long STARTED_AT = System.nanoTime();
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_CRASHES = 3;

    @Mixin
    private final ChaosOptions options = new ChaosOptions();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Chaos())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (e instanceof IllegalArgumentException) { // a wrong option, which the message explains
                        System.err.println(e.getMessage());
                    } else {
                        e.printStackTrace();
                    }
                    return 2;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        options.check();
        Path folder = Files.createTempDirectory("acidq-chaos-");
        log("seed=" + options.seed + " journals and logs in " + folder);
        try (TargetServer target = target();
                Environment environment =
                        new Environment(target, folder, options.processSettings(), FakeClock.isAtHand())) {
            FaultSchedule faultSchedule = FaultSchedule.of(
                    environment,
                    options.wanted(FaultSchedule.possible(environment), FaultSchedule.usual(environment)),
                    options.seed,
                    Chaos::log);
            Runtime.getRuntime().addShutdownHook(new Thread(environment::killAll)); // after Ctrl-C
            environment.prepare();
            SnapshotWatcher snapshotWatcher = new SnapshotWatcher(target);
            snapshotWatcher.start();
            environment.start(options.producers, options.workers);
            faultSchedule.run(options.time(), options.calm());
            environment.connectionBreaks().clear();
            log("no more faults");
            environment.producers().close();
            environment.pauseRecurring();
            boolean drained = drain(environment);
            snapshotWatcher.stop();
            environment.stopProcesses();
            InvariantResults results = audit(target, folder);
            ChaosResult chaosResult =
                    new ChaosResult(options, environment, faultSchedule, snapshotWatcher, results, drained);
            chaosResult.write();
            return chaosResult.isGood() ? 0 : 1;
        }
    }

    private TargetServer target() {
        if (options.url == null) {
            return TargetServer.start(options.kind());
        }
        TargetServer given = TargetServer.given(options.url, options.user, options.password);
        given.check();
        return given;
    }

    /** Waits until no message is left. Gives up if their number does not fall for long. */
    private static boolean drain(Environment environment) throws Exception {
        long left = environment.waiting();
        long lastReport = System.nanoTime();
        for (long since = System.nanoTime(); left > 0 && System.nanoTime() - since < DRAIN.toNanos(); ) {
            if (System.nanoTime() - lastReport > REPORT_INTERVAL.toNanos()) {
                log(left + " messages are left");
                lastReport = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(500);
            long now = environment.waiting();
            if (now < left) {
                since = System.nanoTime();
            }
            left = now;
        }
        log(left == 0 ? "drained" : left + " messages are left and their number does not fall");
        return left == 0;
    }

    private static InvariantResults audit(TargetServer target, Path folder) throws Exception {
        try (Connection connection = target.connect()) {
            return new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(connection);
        }
    }

    /** Prints a line with the seconds since the start. */
    private static void log(String text) {
        System.out.printf(Locale.ROOT, "%7.1f  %s%n", (System.nanoTime() - STARTED_AT) / 1e9, text);
    }
}
