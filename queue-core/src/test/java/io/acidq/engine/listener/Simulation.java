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
 * One schedule: the threads of two or three engines over a simulated store, stepped one at a time by a seeded random, on one thread and by
 * a clock of its own. At every word to the store others may go on first, the process may stand still until it is buried, or die, and
 * the store may fail before or after it has done what was asked.
 */
final class Simulation {

    static final int LANES = 3;

    private static final int STEPS = 250;
    private static final int STEPS_TO_DRAIN = 40_000;
    private static final int STEPS_IN_BETWEEN = 12;
    private static final int STEPS_OF_A_FREEZE = 150;
    private static final int DEEPEST = 3;
    private static final int MOST_CRASHES = 3;
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
        tables.meanwhile = () -> letOthersGoOn(1 + random.nextInt(STEPS_IN_BETWEEN));
        Stream.of("k", "l", null).forEach(key -> producers.add(new SimulatedProducer(tables, key, this::anyNode)));
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            nodes.add(new SimulatedNode(this, tables, telemetry));
        }
    }

    private LocalWorkers.Reserver anyNode() {
        return nodes.get(random.nextInt(nodes.size())).directHandoff();
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    long now() {
        return now;
    }

    /** What was done, as a number: equal for equal schedules. */
    long trace() {
        return trace;
    }

    /** Runs it to its end; the promise that was broken, or null. */
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
            stepSomebody();
        }
    }

    private void stepSomebody() {
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

    /** To the moment when the next one is to do something. */
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

    boolean wakesSomebody() {
        return random.nextInt(20) == 0;
    }

    private void letOthersGoOn(int steps) {
        depth++;
        for (int i = 0; i < steps && depth <= DEEPEST; i++) {
            step();
        }
        depth--;
    }

    /** A node does or has done something that others can see, or runs a handler: what can happen at such a point happens here. */
    void touch(SimulatedNode node, String point) {
        requireAlive(node);
        if (calm) {
            return;
        }
        int dice = random.nextInt(1000);
        if (dice < pausesOfThousand) {
            letOthersGoOn(1 + random.nextInt(STEPS_IN_BETWEEN));
        } else if (dice < pausesOfThousand + freezesOfThousand) {
            freeze(node);
        } else if (dice >= 998 && crashes < MOST_CRASHES) {
            crash(node);
        }
        requireAlive(node);
        if (random.nextInt(1000) < failuresOfThousand) {
            boolean unknown = point.equals("committed") || point.startsWith("after");
            throw SimulatedTables.failure(unknown ? 2013 : CODES[random.nextInt(CODES.length)]);
        }
    }

    private void freeze(SimulatedNode node) {
        if (depth < DEEPEST && frozen.size() + 1 < nodes.size() && frozen.add(node)) {
            for (int i = 0; i < STEPS_OF_A_FREEZE && !node.isDeclaredDead(); i++) {
                letOthersGoOn(1);
            }
            letOthersGoOn(random.nextInt(2 * STEPS_IN_BETWEEN));
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

    /** A part of the store as a node sees it. */
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

    /** How a handler ends: some fail in each of the ways that there are. */
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

    /** The process is gone: nothing after its last word to the store takes place. */
    static final class Crash extends Error {

        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }
}
