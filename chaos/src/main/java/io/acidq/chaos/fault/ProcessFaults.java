package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.ProcessGroup;
import io.acidq.chaos.fault.FaultSchedule.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Kills, stops and freezes processes, and moves their clocks. */
final class ProcessFaults {

    private static final int DEAD_NODE_CHECKS = 150;
    private static final long DAY = Duration.ofDays(1).toSeconds();

    private final Environment environment;

    ProcessFaults(Environment environment) {
        this.environment = environment;
    }

    /** A fault that is listed several times is injected as often in each round. */
    List<Fault> all() {
        Fault killWorker = new Fault("kill-worker", random -> kill(environment.workers(), random));
        Fault killProducer = new Fault("kill-producer", random -> kill(environment.producers(), random));
        List<Fault> faults = new ArrayList<>(List.of(
                killWorker,
                killWorker,
                killWorker,
                killProducer,
                killProducer,
                new Fault("stop-worker", this::stop),
                new Fault("freeze-worker", this::freezeUntilDeclaredDead),
                new Fault("hiccup-worker", this::hiccup)));
        if (environment.workers().hasClocks()) {
            faults.add(new Fault("move-clock", this::moveClock));
        }
        return faults;
    }

    private static boolean kill(ProcessGroup processGroup, Random random) {
        Process victim = processGroup.any(random);
        if (victim != null) {
            victim.destroyForcibly();
        }
        return victim != null;
    }

    private boolean stop(Random random) {
        Process victim = environment.workers().any(random);
        if (victim != null) {
            ProcessGroup.askToStop(victim);
        }
        return victim != null;
    }

    /** The process continues after it was declared dead and other nodes have taken its messages. */
    private boolean freezeUntilDeclaredDead(Random random) throws Exception {
        Process victim = environment.workers().any(random);
        if (victim == null) {
            return false;
        }
        try (FrozenProcess frozenProcess = FrozenProcess.on(victim)) {
            String mine = "SELECT COUNT(*) FROM acidq_node WHERE host LIKE '" + victim.pid() + "@%' AND state = ";
            for (int left = DEAD_NODE_CHECKS; left > 0 && environment.count(mine + "'ALIVE'") > 0; left--) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
            return frozenProcess.isFrozen() && environment.count(mine + "'DEAD'") > 0;
        }
    }

    /** The process pauses, as in a long garbage collection. */
    private boolean hiccup(Random random) throws Exception {
        Process victim = environment.workers().any(random);
        if (victim == null) {
            return false;
        }
        try (FrozenProcess frozenProcess = FrozenProcess.on(victim)) {
            TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1200));
            return frozenProcess.isFrozen();
        }
    }

    /** Moves a clock by up to a day until it is moved again. Does not check whether the worker has read the clock since. */
    private boolean moveClock(Random random) {
        return environment.workers().moveClock(random, Duration.ofSeconds(random.nextLong(-DAY, DAY + 1)));
    }

    /** A process that is frozen until this is closed or this JVM ends: a shell waits for either. Not thread-safe. */
    static final class FrozenProcess implements AutoCloseable {

        private static final String SCRIPT = "kill -STOP \"$0\" && echo frozen && read -r end; kill -CONT \"$0\"";

        private final Process shell;
        private final boolean isFrozen;

        private FrozenProcess(Process shell) throws IOException {
            this.shell = shell;
            this.isFrozen = shell.getInputStream().read() >= 0;
        }

        static FrozenProcess on(Process victim) throws IOException {
            return new FrozenProcess(new ProcessBuilder("sh", "-c", SCRIPT, String.valueOf(victim.pid())).start());
        }

        /** False if the process had ended before. */
        boolean isFrozen() {
            return isFrozen;
        }

        @Override
        public void close() throws IOException {
            shell.getOutputStream().close();
            boolean interrupted = false;
            while (shell.isAlive()) {
                try {
                    shell.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
