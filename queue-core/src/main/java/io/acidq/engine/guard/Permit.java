package io.acidq.engine.guard;

import io.acidq.resilience.Guard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The permission of the guards for one start, through which they hear how it went. Only what it is told first counts: by the worker, or by
 * the enforcer of the timeout that gives the execution up. What was told nothing is given back by {@link #close}. Thread-safe.
 */
public final class Permit implements AutoCloseable {

    /** Of no guard. */
    public static final Permit UNGUARDED = new Permit(List.of(), () -> 0, failure -> {});

    private final List<Guard.Entry> entries;
    private final LongSupplier nanoTime;
    private final Consumer<Throwable> onGuardFailure;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile long startNanos;
    private volatile @Nullable Duration took;

    /**
     * Of a start that begins now.
     *
     * @param trouble hears of guards that throw: they may be code of the application
     */
    Permit(List<Guard.Entry> entries, LongSupplier nanoTime, Consumer<Throwable> trouble) {
        this.entries = entries;
        this.nanoTime = nanoTime;
        this.onGuardFailure = trouble;
        this.startNanos = nanoTime.getAsLong();
    }

    /** The message is begun, perhaps once more: its time counts from here. */
    public void begin() {
        if (!entries.isEmpty()) {
            startNanos = nanoTime.getAsLong();
            took = null;
        }
    }

    /** The handler is through with the message, or with several at once, each of which counts its share of the time. */
    public void handlerReturned(int together) {
        if (!entries.isEmpty()) {
            took = Duration.ofNanos((nanoTime.getAsLong() - startNanos) / together);
        }
    }

    public void succeeded() {
        complete(Guard.Entry::succeeded);
    }

    public void failed(Throwable failure) {
        complete((entry, time) -> entry.failed(time, failure));
    }

    public void requeued(Throwable cause) {
        complete((entry, time) -> entry.requeued(time, cause));
    }

    @Override
    public void close() {
        complete((entry, time) -> entry.unused());
    }

    private void complete(BiConsumer<Guard.Entry, Duration> how) {
        if (entries.isEmpty() || !ended.compareAndSet(false, true)) {
            return;
        }
        Duration measured = took;
        Duration time = measured == null ? Duration.ofNanos(nanoTime.getAsLong() - startNanos) : measured;
        for (Guard.Entry entry : entries) {
            try {
                how.accept(entry, time);
            } catch (Throwable e) {
                onGuardFailure.accept(e);
            }
        }
    }
}
