package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.ProcessGroup;
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

    /** What stands there several times strikes as often in each round. */
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
            ProcessGroup.tellToStop(victim);
        }
        return victim != null;
    }

    /** Wakes up to find that it was declared dead, its messages taken over. */
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

    /** Stands still for a moment, as in a long collection of garbage. */
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

    /** By up to a day, for the rest of its life or until it is moved again. That the worker has asked for the time since is not looked at. */
    private boolean moveClock(Random random) {
        return environment.workers().moveClock(random, Duration.ofSeconds(random.nextLong(-DAY, DAY + 1)));
    }
}
