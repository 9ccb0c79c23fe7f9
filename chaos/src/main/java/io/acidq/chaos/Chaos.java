package io.acidq.chaos;

import io.acidq.chaos.arena.Arena;
import io.acidq.chaos.arena.Target;
import io.acidq.chaos.audit.Auditor;
import io.acidq.chaos.audit.Verdict;
import io.acidq.chaos.fault.Mischief;
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
    private static final Duration TELL = Duration.ofSeconds(10);
    private static final long BEGAN = System.nanoTime();
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_DEATHS = 3;

    @Mixin
    private final Plan plan = new Plan();

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
        try (Target target = target();
                Arena arena = new Arena(target, folder, plan.cast(), FakeClock.isAtHand())) {
            Mischief mischief = Mischief.among(
                    arena, plan.wanted(Mischief.possible(arena), Mischief.usual(arena)), plan.seed, Chaos::say);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(arena::abandon)); // an interrupt by hand, in the middle of anything
            arena.prepare();
            Watch watch = new Watch(target);
            watch.start();
            arena.start(plan.producers, plan.workers);
            mischief.rage(plan.time(), plan.calm());
            arena.strikes().clear();
            say("mischief is over");
            arena.producers().close();
            boolean drained = drain(arena);
            watch.stop();
            arena.rest();
            Verdict verdict = audit(target, folder);
            Result result = new Result(plan, arena, mischief, watch, verdict, drained);
            result.write();
            return result.isGood() ? 0 : 1;
        }
    }

    private Target target() {
        if (plan.url == null) {
            return Target.start(plan.kind());
        }
        Target given = Target.given(plan.url, plan.user, plan.password);
        given.check();
        return given;
    }

    /** Waits until nothing waits any more; gives up when nothing has changed for long. */
    private static boolean drain(Arena arena) throws Exception {
        long left = arena.waiting();
        long told = System.nanoTime();
        for (long since = System.nanoTime(); left > 0 && System.nanoTime() - since < DRAIN.toNanos(); ) {
            if (System.nanoTime() - told > TELL.toNanos()) {
                say(left + " messages are left");
                told = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(500);
            long now = arena.waiting();
            if (now < left) {
                since = System.nanoTime();
            }
            left = now;
        }
        say(left == 0 ? "drained" : left + " messages are left and do not move");
        return left == 0;
    }

    private static Verdict audit(Target target, Path folder) throws Exception {
        try (Connection connection = target.connect()) {
            return new Auditor(folder, MAX_ATTEMPTS, MAX_DEATHS).audit(connection);
        }
    }

    /** With the seconds since the start. */
    private static void say(String what) {
        System.out.printf(Locale.ROOT, "%7.1f  %s%n", (System.nanoTime() - BEGAN) / 1e9, what);
    }
}
