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

/** The main class. Exit code 0: every invariant holds and every fault has struck; 1: not so; 2: it could not be tried. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "Attacks a running AcidQ and audits what is left.")
public final class Chaos implements Callable<Integer> {

    private static final Duration DRAIN = Duration.ofMinutes(3);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final long STARTED_AT = System.nanoTime();
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_CRASHES = 3;

    @Mixin
    private final ChaosOptions plan = new ChaosOptions();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Chaos())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (e instanceof IllegalArgumentException) { // what was asked for can not be done, and says why
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
        plan.check();
        Path folder = Files.createTempDirectory("acidq-chaos-");
        say("seed=" + plan.seed + " journals and logs in " + folder);
        try (TargetServer targetServer = target();
                Environment environment =
                        new Environment(targetServer, folder, plan.processSettings(), FakeClock.isAtHand())) {
            FaultSchedule faultSchedule = FaultSchedule.among(
                    environment,
                    plan.wanted(FaultSchedule.possible(environment), FaultSchedule.usual(environment)),
                    plan.seed,
                    Chaos::say);
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(environment::killAll)); // an interrupt by hand, in the middle of anything
            environment.prepare();
            SnapshotWatcher snapshotWatcher = new SnapshotWatcher(targetServer);
            snapshotWatcher.start();
            environment.start(plan.producers, plan.workers);
            faultSchedule.run(plan.time(), plan.calm());
            environment.connectionBreaks().clear();
            say("mischief is over");
            environment.producers().close();
            boolean drained = drain(environment);
            snapshotWatcher.stop();
            environment.stopProcesses();
            InvariantResults invariantResults = audit(targetServer, folder);
            ChaosResult chaosResult =
                    new ChaosResult(plan, environment, faultSchedule, snapshotWatcher, invariantResults, drained);
            chaosResult.write();
            return chaosResult.isGood() ? 0 : 1;
        }
    }

    private TargetServer target() {
        if (plan.url == null) {
            return TargetServer.start(plan.kind());
        }
        TargetServer given = TargetServer.given(plan.url, plan.user, plan.password);
        given.check();
        return given;
    }

    /** Waits until nothing waits any more; gives up when nothing has changed for long. */
    private static boolean drain(Environment environment) throws Exception {
        long left = environment.waiting();
        long told = System.nanoTime();
        for (long since = System.nanoTime(); left > 0 && System.nanoTime() - since < DRAIN.toNanos(); ) {
            if (System.nanoTime() - told > REPORT_INTERVAL.toNanos()) {
                say(left + " messages are left");
                told = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(500);
            long now = environment.waiting();
            if (now < left) {
                since = System.nanoTime();
            }
            left = now;
        }
        say(left == 0 ? "drained" : left + " messages are left and do not move");
        return left == 0;
    }

    private static InvariantResults audit(TargetServer targetServer, Path folder) throws Exception {
        try (Connection connection = targetServer.connect()) {
            return new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(connection);
        }
    }

    /** With the seconds since the start. */
    private static void say(String what) {
        System.out.printf(Locale.ROOT, "%7.1f  %s%n", (System.nanoTime() - STARTED_AT) / 1e9, what);
    }
}
