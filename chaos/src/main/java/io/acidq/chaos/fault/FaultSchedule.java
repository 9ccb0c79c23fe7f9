package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Injects one fault after the other. Each round contains all faults in a random order that depends on the seed. */
public final class FaultSchedule {

    private final List<Fault> faults;
    private final Random random;
    private final Consumer<String> log;
    private final Map<String, Integer> injected = new TreeMap<>();

    private FaultSchedule(List<Fault> faults, Random random, Consumer<String> log) {
        this.faults = faults;
        this.random = random;
        this.log = log;
        faults.forEach(f -> injected.put(f.name(), 0));
    }

    /** All faults that are possible in this environment. */
    public static List<String> possible(Environment environment) {
        return all(environment).stream().map(Fault::name).distinct().toList();
    }

    /** The faults that affect no other user of the server. */
    public static List<String> usual(Environment environment) {
        boolean isGiven = environment.target().own() == null;
        return possible(environment).stream()
                .filter(name -> !isGiven || !ServerFaults.OF_WHOLE_SERVER.contains(name))
                .toList();
    }

    /** A schedule of the wanted faults. */
    public static FaultSchedule of(Environment environment, Set<String> wanted, long seed, Consumer<String> log) {
        return new FaultSchedule(
                all(environment).stream().filter(f -> wanted.contains(f.name())).toList(), new Random(seed), log);
    }

    private static List<Fault> all(Environment environment) {
        List<Fault> all = new ArrayList<>(new ProcessFaults(environment).all());
        all.addAll(new NetworkFaults(environment).all());
        all.addAll(new ServerFaults(environment).all());
        return all;
    }

    /**
     * Runs for the given time, or up to twice as long until each fault has struck.
     *
     * @param calm the average time between two faults
     */
    public void run(Duration time, Duration calm) throws InterruptedException {
        long start = System.nanoTime();
        List<Fault> round = new ArrayList<>();
        while (System.nanoTime() - start < time.toNanos()
                || (injected.containsValue(0) && System.nanoTime() - start < 2 * time.toNanos())) {
            if (faults.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(500);
                continue;
            }
            if (round.isEmpty()) {
                round.addAll(faults);
                Collections.shuffle(round, random);
            }
            inject(round.remove(round.size() - 1));
            TimeUnit.MILLISECONDS.sleep(random.nextLong(calm.toMillis() / 2, calm.toMillis() * 3 / 2 + 1));
        }
    }

    private void inject(Fault fault) throws InterruptedException {
        try {
            boolean hasStruck = fault.action().inject(random);
            if (hasStruck) {
                injected.merge(fault.name(), 1, Integer::sum);
            }
            log.accept(fault.name() + (hasStruck ? "" : " (no effect)"));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            log.accept(fault.name() + " failed: " + e);
        }
    }

    /** How often each fault has struck. */
    public Map<String, Integer> injected() {
        return injected;
    }

    /**
     * A kind of fault.
     *
     * @param name on the command line
     */
    public record Fault(String name, Action action) {

        /** Injects the fault once, and repairs lasting changes. */
        @FunctionalInterface
        public interface Action {
            /** Returns whether the fault had an effect. */
            boolean inject(Random random) throws Exception;
        }
    }
}
