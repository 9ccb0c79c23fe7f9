package io.acidq.engine.listener;

import io.acidq.Outcome;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One schedule of two or three engines over a simulated store. A seeded random steps their threads one at a time, on
 * one thread and with a clock of its own. At every access to the store other engines may run first, the process may
 * freeze until it is declared dead, or crash, and the store may fail before or after it has done its work.
 */
final class Simulation {

    static final int LANES = 3;

    private static final int STEPS = 250;
    private static final int STEPS_TO_DRAIN = 40_000;
    private static final int STEPS_IN_BETWEEN = 12;
    private static final int STEPS_OF_A_FREEZE = 150;
    private static final int MAX_DEPTH = 3;
    private static final int MAX_CRASHES = 3;
    private static final Duration A_WHILE = Duration.ofMillis(300);
    private static final int[] CODES = {1213, 1205, 2013};

    private final Random random;
    private final SimulationAuditor simulationAuditor = new SimulationAuditor();
    private final SimulatedTables tables;
    private final Telemetry telemetry;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedProducer> producers = new ArrayList<>();
    private final Set<SimulatedNode> frozen = new HashSet<>();
    private final int failuresOfThousand;
    private final int pausesOfThousand;
    private final int freezesOfThousand;
    private long now = Duration.ofDays(1).toNanos();
    private long trace;
    private int depth;
    private int crashes;
    private boolean calm;

    Simulation(long seed, StoreFlaw storeFlaw, Telemetry telemetry) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.telemetry = telemetry;
        this.tables = new SimulatedTables(storeFlaw, random, this::now, simulationAuditor);
        this.failuresOfThousand = oneOf(0, 10, 40);
        this.pausesOfThousand = oneOf(50, 150, 300);
        this.freezesOfThousand = oneOf(0, 5, 20);
        tables.meanwhile = () -> runOthers(1 + random.nextInt(STEPS_IN_BETWEEN));
        Stream.of("k", "l", null).forEach(key -> producers.add(new SimulatedProducer(tables, key, this::anyReserver)));
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            nodes.add(new SimulatedNode(this, tables, telemetry));
        }
    }

    private LocalWorkers.Reserver anyReserver() {
        return nodes.get(random.nextInt(nodes.size())).directHandoff();
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    long now() {
        return now;
    }

    /** Returns a hash of the steps, which is equal for equal schedules. */
    long trace() {
        return trace;
    }

    /** Runs the schedule to its end. Returns the promise that was broken, or null. */
    @Nullable
    String run() {
        for (int step = 0; step < STEPS && simulationAuditor.broken() == null; step++) {
            step();
        }
        calm = true;
        tables.paused = false;
        for (int step = 0; step < STEPS_TO_DRAIN && simulationAuditor.broken() == null && !isDrained(); step++) {
            step();
        }
        simulationAuditor.finish(isDrained());
        return simulationAuditor.broken();
    }

    private boolean isDrained() {
        return tables.hot.isEmpty()
                && tables.scheduled.isEmpty()
                && producers.stream().allMatch(SimulatedProducer::isDone);
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 8) {
            producers.get(random.nextInt(producers.size())).step();
        } else if (dice < 9 && !calm) {
            tables.paused = !tables.paused;
        } else if (dice < 30) {
            passTime();
        } else {
            stepAnActor();
        }
    }

    private void stepAnActor() {
        List<SimulatedActor> ready =
                actors().filter(a -> !a.isBusy() && a.mayStep(now)).toList();
        if (ready.isEmpty()) {
            passTime();
            return;
        }
        SimulatedActor actor = ready.get(random.nextInt(ready.size()));
        trace = trace * 31 + Objects.hash(actor.name(), now);
        actor.step(this);
    }

    /** Moves the clock to the next time at which an actor has something to do. */
    private void passTime() {
        long next = actors().filter(a -> !a.isBusy())
                .mapToLong(SimulatedActor::next)
                .filter(n -> n > now)
                .min()
                .orElse(now);
        now = Math.min(next, now + SimulatedNode.HEARTBEAT_INTERVAL.toNanos());
    }

    private Stream<SimulatedActor> actors() {
        return nodes.stream().filter(n -> !frozen.contains(n)).flatMap(n -> n.actors().stream());
    }

    boolean wakesByChance() {
        return random.nextInt(20) == 0;
    }

    private void runOthers(int steps) {
        depth++;
        for (int i = 0; i < steps && depth <= MAX_DEPTH; i++) {
            step();
        }
        depth--;
    }

    /**
     * Lets other engines run, the node freeze or crash, or the store fail, at a point where a node changes shared state
     * or runs a handler.
     */
    void touch(SimulatedNode node, String point) {
        requireAlive(node);
        if (calm) {
            return;
        }
        int dice = random.nextInt(1000);
        if (dice < pausesOfThousand) {
            runOthers(1 + random.nextInt(STEPS_IN_BETWEEN));
        } else if (dice < pausesOfThousand + freezesOfThousand) {
            freeze(node);
        } else if (dice >= 998 && crashes < MAX_CRASHES) {
            crash(node);
        }
        requireAlive(node);
        if (random.nextInt(1000) < failuresOfThousand) {
            boolean unknown = point.equals("committed") || point.startsWith("after");
            throw SimulatedTables.failure(unknown ? 2013 : CODES[random.nextInt(CODES.length)]);
        }
    }

    private void freeze(SimulatedNode node) {
        if (depth < MAX_DEPTH && frozen.size() + 1 < nodes.size() && frozen.add(node)) {
            for (int i = 0; i < STEPS_OF_A_FREEZE && !node.isDeclaredDead(); i++) {
                runOthers(1);
            }
            runOthers(random.nextInt(2 * STEPS_IN_BETWEEN));
            frozen.remove(node);
        }
    }

    private void crash(SimulatedNode node) {
        crashes++;
        node.crash();
        nodes.remove(node);
        nodes.add(new SimulatedNode(this, tables, telemetry));
    }

    private static void requireAlive(SimulatedNode node) {
        if (node.isCrashed()) {
            throw new Crash();
        }
    }

    /** Wraps a part of the store so that its calls may be interrupted or fail. */
    <T> T faulty(SimulatedNode node, Class<T> port, T target) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (p, method, args) -> {
            touch(node, method.getName());
            try {
                Object result = method.invoke(target, args);
                touch(node, "after " + method.getName());
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** Returns or throws a random result of a handler. */
    Outcome randomOutcome() {
        now += random.nextInt(20) * 1_000_000L;
        int dice = calm ? 100 : random.nextInt(100);
        if (dice < 8) {
            throw new IllegalStateException("the handler failed");
        }
        if (dice < 11) {
            throw SimulatedTables.failure(1213);
        }
        if (dice < 14) {
            return Outcome.retryAfter(A_WHILE);
        }
        if (dice < 18) {
            return Outcome.snooze(A_WHILE);
        }
        if (dice < 20) {
            return Outcome.dead(SimulationAuditor.ASKED);
        }
        return dice < 22 ? Outcome.cancel("test") : Outcome.done();
    }

    /** Ends the code of a crashed process at its next access to the store. */
    static final class Crash extends Error {

        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }
}
