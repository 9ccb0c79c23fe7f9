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

/** Strikes with one fault after the other, each of them in every round, in an order that the seed decides. */
public final class FaultSchedule {

    private final List<Fault> faults;
    private final Random random;
    private final Consumer<String> log;
    private final Map<String, Integer> injected = new TreeMap<>();

    private FaultSchedule(List<Fault> faults, Random random, Consumer<String> told) {
        this.faults = faults;
        this.random = random;
        this.log = told;
        faults.forEach(f -> injected.put(f.name(), 0));
    }

    /** All that can be done to this arena. */
    public static List<String> possible(Environment environment) {
        return all(environment).stream().map(Fault::name).distinct().toList();
    }

    /** Those that harm nobody but this arena. */
    public static List<String> usual(Environment environment) {
        boolean isGiven = environment.target().own() == null;
        return possible(environment).stream()
                .filter(name -> !isGiven || !ServerFaults.OF_ALL.contains(name))
                .toList();
    }

    /** Those of them that are wanted. */
    public static FaultSchedule among(Environment environment, Set<String> wanted, long seed, Consumer<String> told) {
        return new FaultSchedule(
                all(environment).stream().filter(f -> wanted.contains(f.name())).toList(), new Random(seed), told);
    }

    private static List<Fault> all(Environment environment) {
        List<Fault> all = new ArrayList<>(new ProcessFaults(environment).all());
        all.addAll(new NetworkFaults(environment).all());
        all.addAll(new ConnectionFaults(environment).all());
        all.addAll(new ServerFaults(environment).all());
        return all;
    }

    /** Goes on for so long, and until each has struck, but not longer than twice; between two faults it is calm for so long on average. */
    public void run(Duration time, Duration calm) throws InterruptedException {
        long began = System.nanoTime();
        List<Fault> round = new ArrayList<>();
        while (System.nanoTime() - began < time.toNanos()
                || (injected.containsValue(0) && System.nanoTime() - began < 2 * time.toNanos())) {
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
            boolean hit = fault.action().inject(random);
            if (hit) {
                injected.merge(fault.name(), 1, Integer::sum);
            }
            log.accept(fault.name() + (hit ? "" : " (nothing to strike)"));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            log.accept(fault.name() + " could not strike: " + e);
        }
    }

    /** How often each has struck. */
    public Map<String, Integer> injected() {
        return injected;
    }
}
