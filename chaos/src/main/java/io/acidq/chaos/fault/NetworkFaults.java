package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.fault.FaultSchedule.Fault;
import io.acidq.chaos.proxy.ConnectionBreak;
import io.acidq.chaos.proxy.ConnectionBreak.BreakMode;
import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.proxy.TransactionKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Breaks connections at exact points, and slows them down. */
final class NetworkFaults {

    private static final int CHECKS = 100;

    private final Environment environment;

    NetworkFaults(Environment environment) {
        this.environment = environment;
    }

    List<Fault> all() {
        List<Fault> faults = new ArrayList<>();
        for (TransactionKind transactionKind :
                List.of(TransactionKind.ENQUEUE, TransactionKind.CLAIM, TransactionKind.HANDLER)) {
            for (BreakPoint breakPoint : BreakPoint.values()) {
                faults.add(new Fault(
                        ("cut-" + breakPoint + '-' + transactionKind)
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'),
                        random -> inject(new ConnectionBreak(transactionKind, breakPoint, BreakMode.CUT))));
            }
        }
        faults.add(new Fault("black-hole", random -> inject(some(random, BreakMode.BLACK_HOLE))));
        faults.add(new Fault("half-open", random -> inject(some(random, BreakMode.HALF_OPEN))));
        faults.add(new Fault("cut-all", this::cutAll));
        faults.add(new Fault("latency", this::slowDown));
        return faults;
    }

    private static ConnectionBreak some(Random random, BreakMode breakMode) {
        TransactionKind transactionKind = List.of(
                        TransactionKind.ENQUEUE, TransactionKind.CLAIM, TransactionKind.HANDLER)
                .get(random.nextInt(3));
        return new ConnectionBreak(
                transactionKind, random.nextBoolean() ? BreakPoint.BEFORE_COMMIT : BreakPoint.AFTER_COMMIT, breakMode);
    }

    /** Orders a break of the next transaction of its kind, and waits for it. */
    private boolean inject(ConnectionBreak connectionBreak) throws InterruptedException {
        int before = hasHappened(connectionBreak);
        environment.connectionBreaks().order(connectionBreak);
        for (int left = CHECKS; left > 0 && hasHappened(connectionBreak) == before; left--) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return hasHappened(connectionBreak) > before;
    }

    private int hasHappened(ConnectionBreak connectionBreak) {
        return environment.connectionBreaks().happened().getOrDefault(connectionBreak.toString(), 0);
    }

    private boolean cutAll(Random random) {
        return environment.proxies().stream().mapToInt(PacketProxy::cutAll).sum() > 0;
    }

    /** Has an effect if packets have waited. */
    private boolean slowDown(Random random) throws InterruptedException {
        long before = delayed();
        Duration perPacket = Duration.ofMillis(20 + random.nextInt(480));
        environment.proxies().forEach(p -> p.slowDown(perPacket));
        try {
            TimeUnit.MILLISECONDS.sleep(2000 + random.nextInt(2000));
        } finally {
            environment.proxies().forEach(p -> p.slowDown(Duration.ZERO));
        }
        return delayed() > before;
    }

    private long delayed() {
        return environment.proxies().stream().mapToLong(PacketProxy::delayed).sum();
    }
}
