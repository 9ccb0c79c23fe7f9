package io.acidq.doctor;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The options of an examination, and what the database cannot know. Immutable; begin with {@link #of}.
 *
 * @param clock           the clock of this process, which is compared with the server's
 * @param poolSize        the maximum size of the connection pool of a node; empty when it is not known
 * @param node            the node that uses the pool; empty for the node that needs the most connections
 * @param maxPayloadBytes the largest payload that the engine accepts, which is compared with the limit of the server
 * @param longTransaction the age from which an open transaction is reported. Too short: ordinary work is reported; too long: a transaction that
 *                        holds locks is found late. 1 s to 1 day. Default 1 minute
 * @param watchTime       how long the doctor waits for a heartbeat of each living node. Too short: heartbeats are missed, which are 3 s apart by
 *                        default; too long: an examination takes this long when a node is silent. 0 (no wait) to 1 hour. Default 8 s
 */
public record DoctorOptions(
        Clock clock,
        OptionalInt poolSize,
        OptionalInt node,
        int maxPayloadBytes,
        Duration longTransaction,
        Duration watchTime) {

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a duration is out of bounds, or the pool has no connection
     */
    public DoctorOptions {
        Objects.requireNonNull(clock, "clock");
        require(
                poolSize.isEmpty() || poolSize.getAsInt() >= 1,
                "the size of a pool must be at least 1, was " + poolSize.orElse(0));
        require(
                isWithin(longTransaction, Duration.ofSeconds(1), Duration.ofDays(1)),
                "the age of long transactions must be 1 s to 1 day, was " + longTransaction);
        require(
                isWithin(watchTime, Duration.ZERO, Duration.ofHours(1)),
                "the time to watch nodes must be 0 to 1 hour, was " + watchTime);
    }

    /** The defaults, without pool and node. */
    public static DoctorOptions of(Clock clock) {
        return new DoctorOptions(
                clock,
                OptionalInt.empty(),
                OptionalInt.empty(),
                EngineConfig.defaults().maxPayloadBytes(),
                Duration.ofMinutes(1),
                Duration.ofSeconds(8));
    }

    public DoctorOptions withPoolSize(int value) {
        return new DoctorOptions(clock, OptionalInt.of(value), node, maxPayloadBytes, longTransaction, watchTime);
    }

    /** Sets the node that uses the pool. */
    public DoctorOptions withNode(int value) {
        return new DoctorOptions(clock, poolSize, OptionalInt.of(value), maxPayloadBytes, longTransaction, watchTime);
    }

    public DoctorOptions withMaxPayloadBytes(int value) {
        return new DoctorOptions(clock, poolSize, node, value, longTransaction, watchTime);
    }

    public DoctorOptions withLongTransaction(Duration value) {
        return new DoctorOptions(clock, poolSize, node, maxPayloadBytes, value, watchTime);
    }

    public DoctorOptions withWatchTime(Duration value) {
        return new DoctorOptions(clock, poolSize, node, maxPayloadBytes, longTransaction, value);
    }
}
