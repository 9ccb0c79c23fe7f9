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
 * One start past the guards. What is told first counts, by its worker or by the timekeeper that gives its run up; what was told nothing is
 * given back by {@link #close}. Thread-safe.
 */
public final class Passage implements AutoCloseable {

    /** Past no guard. */
    public static final Passage FREE = new Passage(List.of(), () -> 0, failure -> {});

    private final List<Guard.Entry> entries;
    private final LongSupplier nanoTime;
    private final Consumer<Throwable> trouble;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile long began;
    private volatile @Nullable Duration took;

    /**
     * A start that begins now.
     *
     * @param trouble hears of guards that throw: it may be code of the application
     */
    Passage(List<Guard.Entry> entries, LongSupplier nanoTime, Consumer<Throwable> trouble) {
        this.entries = entries;
        this.nanoTime = nanoTime;
        this.trouble = trouble;
        this.began = nanoTime.getAsLong();
    }

    /** The message is taken up, perhaps once more: its time counts from here. */
    public void begins() {
        if (!entries.isEmpty()) {
            began = nanoTime.getAsLong();
            took = null;
        }
    }

    /** The handler is through with it, or with so many at once, of which each counts its share: what its neighbours take is not its doing. */
    public void handled(int together) {
        if (!entries.isEmpty()) {
            took = Duration.ofNanos((nanoTime.getAsLong() - began) / together);
        }
    }

    public void succeeded() {
        end(Guard.Entry::succeeded);
    }

    public void failed(Throwable failure) {
        end((entry, time) -> entry.failed(time, failure));
    }

    public void gaveBack(Throwable cause) {
        end((entry, time) -> entry.gaveBack(time, cause));
    }

    @Override
    public void close() {
        end((entry, time) -> entry.unused());
    }

    private void end(BiConsumer<Guard.Entry, Duration> how) {
        if (entries.isEmpty() || !ended.compareAndSet(false, true)) {
            return;
        }
        Duration measured = took;
        Duration time = measured == null ? Duration.ofNanos(nanoTime.getAsLong() - began) : measured;
        for (Guard.Entry entry : entries) {
            try {
                how.accept(entry, time);
            } catch (Throwable e) {
                trouble.accept(e);
            }
        }
    }
}
