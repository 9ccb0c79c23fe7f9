package io.acidq.micrometer;

import io.acidq.admin.Backlog;
import io.acidq.telemetry.QueueState;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it was at one moment.
 *
 * @param takenAt when, by the monotonic clock
 * @param here    the queue in this engine; null when it has no listener of it
 * @param there   the queue in the database; null when that is not known
 */
record Sample(
        long takenAt, @Nullable QueueState here, @Nullable DatabaseSample there) {

    /** By what this engine knows; 0 where it does not serve the queue. */
    static ToDoubleFunction<Sample> here(ToDoubleFunction<QueueState> value) {
        return sample -> sample.here == null ? 0 : value.applyAsDouble(sample.here);
    }

    /** By what the database says; not a number where it has not answered. */
    static ToDoubleFunction<Sample> there(ToDoubleFunction<DatabaseSample> value) {
        return sample -> sample.there == null ? Double.NaN : value.applyAsDouble(sample.there);
    }

    /**
     * What the database says.
     *
     * @param backlog how much there is
     * @param paused  whether the queue is paused
     * @param blocked how many ordering keys are held up
     */
    record DatabaseSample(Backlog backlog, boolean paused, int blocked) {

        double oldestSeconds() {
            return backlog.oldest().map(age -> age.toNanos() / 1e9).orElse(0.0);
        }
    }
}
