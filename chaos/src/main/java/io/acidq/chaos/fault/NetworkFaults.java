package io.acidq.chaos.fault;

import io.acidq.chaos.arena.Arena;
import io.acidq.chaos.proxy.Manner;
import io.acidq.chaos.proxy.Moment;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.proxy.Strike;
import io.acidq.chaos.proxy.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Breaks connections at exact places, and slows them down. */
final class NetworkFaults {

    private static final int LOOKS = 100;

    private final Arena arena;

    NetworkFaults(Arena arena) {
        this.arena = arena;
    }

    List<Fault> all() {
        List<Fault> faults = new ArrayList<>();
        for (Work work : List.of(Work.ENQUEUE, Work.CLAIM, Work.HANDLER)) {
            for (Moment moment : Moment.values()) {
                faults.add(new Fault(
                        ("cut-" + moment + '-' + work).toLowerCase(Locale.ROOT).replace('_', '-'),
                        random -> strike(new Strike(work, moment, Manner.CUT))));
            }
        }
        faults.add(new Fault("black-hole", random -> strike(some(random, Manner.BLACK_HOLE))));
        faults.add(new Fault("half-open", random -> strike(some(random, Manner.HALF_OPEN))));
        faults.add(new Fault("cut-all", this::cutAll));
        faults.add(new Fault("latency", this::slowDown));
        return faults;
    }

    private static Strike some(Random random, Manner manner) {
        Work work = List.of(Work.ENQUEUE, Work.CLAIM, Work.HANDLER).get(random.nextInt(3));
        return new Strike(work, random.nextBoolean() ? Moment.BEFORE_COMMIT : Moment.AFTER_COMMIT, manner);
    }

    /** Ordered, and then waited for: the next transaction of its kind is struck. */
    private boolean strike(Strike strike) throws InterruptedException {
        int before = struck(strike);
        arena.strikes().order(strike);
        for (int left = LOOKS; left > 0 && struck(strike) == before; left--) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return struck(strike) > before;
    }

    private int struck(Strike strike) {
        return arena.strikes().struck().getOrDefault(strike.toString(), 0);
    }

    private boolean cutAll(Random random) {
        return arena.proxies().stream().mapToInt(PacketProxy::cutAll).sum() > 0;
    }

    /** Strikes when packets have waited. */
    private boolean slowDown(Random random) throws InterruptedException {
        long before = delayed();
        Duration perPacket = Duration.ofMillis(20 + random.nextInt(480));
        arena.proxies().forEach(p -> p.slowDown(perPacket));
        try {
            TimeUnit.MILLISECONDS.sleep(2000 + random.nextInt(2000));
        } finally {
            arena.proxies().forEach(p -> p.slowDown(Duration.ZERO));
        }
        return delayed() > before;
    }

    private long delayed() {
        return arena.proxies().stream().mapToLong(PacketProxy::delayed).sum();
    }
}
