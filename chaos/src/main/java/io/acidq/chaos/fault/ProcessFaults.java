package io.acidq.chaos.fault;

import io.acidq.chaos.arena.Arena;
import io.acidq.chaos.arena.Staff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Kills, stops and freezes processes, and moves their clocks. */
final class ProcessFaults {

    private static final int BURIAL_LOOKS = 150;
    private static final long DAY = Duration.ofDays(1).toSeconds();

    private final Arena arena;

    ProcessFaults(Arena arena) {
        this.arena = arena;
    }

    /** What stands there several times strikes as often in each round. */
    List<Fault> all() {
        Fault killWorker = new Fault("kill-worker", random -> kill(arena.workers(), random));
        Fault killProducer = new Fault("kill-producer", random -> kill(arena.producers(), random));
        List<Fault> faults = new ArrayList<>(List.of(
                killWorker,
                killWorker,
                killWorker,
                killProducer,
                killProducer,
                new Fault("stop-worker", this::stop),
                new Fault("freeze-worker", this::freezeUntilBuried),
                new Fault("hiccup-worker", this::hiccup)));
        if (arena.workers().hasClocks()) {
            faults.add(new Fault("move-clock", this::moveClock));
        }
        return faults;
    }

    private static boolean kill(Staff staff, Random random) {
        Process victim = staff.any(random);
        if (victim != null) {
            victim.destroyForcibly();
        }
        return victim != null;
    }

    private boolean stop(Random random) {
        Process victim = arena.workers().any(random);
        if (victim != null) {
            victim.destroy();
        }
        return victim != null;
    }

    /** Wakes up to find that it was declared dead, its messages taken over. */
    private boolean freezeUntilBuried(Random random) throws Exception {
        Process victim = arena.workers().any(random);
        if (victim == null || !signal("STOP", victim)) {
            return false;
        }
        try {
            String mine = "SELECT COUNT(*) FROM acidq_node WHERE host LIKE '" + victim.pid() + "@%' AND state = ";
            for (int left = BURIAL_LOOKS; left > 0 && arena.count(mine + "'ALIVE'") > 0; left--) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
            return arena.count(mine + "'DEAD'") > 0;
        } finally {
            signal("CONT", victim);
        }
    }

    /** Stands still for a moment, as in a long collection of garbage. */
    private boolean hiccup(Random random) throws Exception {
        Process victim = arena.workers().any(random);
        if (victim == null || !signal("STOP", victim)) {
            return false;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1200));
        } finally {
            signal("CONT", victim);
        }
        return true;
    }

    /** By up to a day, for the rest of its life or until it is moved again. */
    private boolean moveClock(Random random) {
        return arena.workers().moveClock(random, Duration.ofSeconds(random.nextLong(-DAY, DAY + 1)));
    }

    private static boolean signal(String name, Process process) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor()
                == 0;
    }
}
