package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets everything through and counts how it ended; an entry that is ended twice is written down. */
final class CountingGuard implements Guard {

    final AtomicInteger entered = new AtomicInteger();
    final AtomicInteger succeeded = new AtomicInteger();
    final AtomicInteger requeued = new AtomicInteger();
    final AtomicInteger unused = new AtomicInteger();
    final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger twice = new AtomicInteger();

    /** How many entries have not ended. */
    int open() {
        assertThat(twice).as("entries that ended twice").hasValue(0);
        return entered.get() - succeeded.get() - requeued.get() - unused.get() - failures.size();
    }

    @Override
    public Entry enter() {
        entered.incrementAndGet();
        return new CountingEntry();
    }

    @Override
    public int freeCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Duration untilChange() {
        return Duration.ofHours(1);
    }

    @Override
    public GuardState state() {
        return new GuardState(
                GuardState.Kind.BREAKER, "tally", GuardState.Status.LETS_THROUGH, freeCapacity(), untilChange());
    }

    private final class CountingEntry implements Entry {
        private final AtomicBoolean ended = new AtomicBoolean();

        @Override
        public void succeeded(Duration took) {
            end(succeeded::incrementAndGet);
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            end(() -> failures.add(failure));
        }

        @Override
        public void requeued(Duration took, Throwable cause) {
            end(requeued::incrementAndGet);
        }

        @Override
        public void unused() {
            end(unused::incrementAndGet);
        }

        private void end(Runnable count) {
            if (!ended.compareAndSet(false, true)) {
                twice.incrementAndGet();
            }
            count.run();
        }
    }
}
