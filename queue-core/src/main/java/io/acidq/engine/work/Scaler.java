package io.acidq.engine.work;

import io.acidq.config.Workers;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.node.NodeParts;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Has more workers hired while all of a queue are busy and what could start beside them would take them more than a moment; gives those back
 * that were not needed for the idle time.
 */
final class Scaler implements Duty {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS_AT_REST = Duration.ofMillis(500);

    /** Work that is over sooner is not worth a thread. */
    private static final long MOMENT_NANOS = Duration.ofMillis(20).toNanos();

    private final QueueParts parts;
    private final Workers limits;
    private final Staff staff;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private boolean pressed;
    private int needed;
    private long since;

    Scaler(QueueParts parts, Workers limits, Staff staff, NodeParts node) {
        this.parts = parts;
        this.limits = limits;
        this.staff = staff;
        this.nanoTime = node.nanoTime();
        this.telemetry = node.telemetry();
        this.since = nanoTime.getAsLong();
    }

    @Override
    public String name() {
        return "scaler-" + parts.queue().name();
    }

    @Override
    public Duration runOnce() {
        Stock stock = parts.buffer().stock();
        int workers = staff.wanted();
        int busy = workers - Math.min(workers, parts.buffer().takers());
        needed = Math.max(needed, busy);
        boolean pressedBefore = pressed;
        pressed = busy == workers && parts.pace().nanosFor(stock.startable()) / workers >= MOMENT_NANOS;
        if (pressed && pressedBefore) {
            change(workers, Math.min(limits.max(), workers + Math.min(workers, stock.startable())));
        } else if (nanoTime.getAsLong() - since >= limits.idle().toNanos()) {
            change(workers, Math.max(limits.min(), Math.min(workers, needed)));
            startAnew();
        }
        return stock.running() + stock.waiting() > 0 ? BETWEEN_LOOKS : BETWEEN_LOOKS_AT_REST;
    }

    private void change(int from, int to) {
        if (to == from) {
            return;
        }
        parts.pace().workers(to);
        staff.want(to);
        startAnew();
        parts.hints().look(); // there is other room in the buffer now
        telemetry.workersChanged(parts.queue().name(), from, to);
    }

    private void startAnew() {
        needed = 0;
        since = nanoTime.getAsLong();
    }
}
