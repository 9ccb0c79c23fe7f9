package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What a doctor is told by its caller, because no database knows it. Immutable; begin with {@link #of}.
 *
 * @param clock           this process' clock, to be compared with the server's
 * @param poolSize        the most connections that the pool of a node lends; empty when it is not known
 * @param node            the node whose workers that pool has to serve; empty for the one that needs most
 * @param maxPayloadBytes the largest payload that is accepted, to be compared with what the server accepts
 * @param longTransaction transactions that are open for longer are told. Too short: each report tells of ordinary work; too long: what holds
 *                        locks is found late. 1 s to 1 day. Default 1 minute
 * @param patience        how long a node that counts as living may be without a beat while it is watched. Too short: heartbeats, 3 s apart unless
 *                        set, are missed; too long: so long a report takes when a node is silent. 0 (not watched) to 1 hour. Default 8 s
 */
public record DoctorOptions(
        Clock clock,
        OptionalInt poolSize,
        OptionalInt node,
        int maxPayloadBytes,
        Duration longTransaction,
        Duration patience) {

    /**
     * Checks what is given.
     *
     * @throws QueueMisuseException when a duration is out of bounds, or the pool has no connection
     */
    public DoctorOptions {
        Objects.requireNonNull(clock, "clock");
        require(poolSize.isEmpty() || poolSize.getAsInt() >= 1, "the size of a pool must be at least 1");
        require(
                isWithin(longTransaction, Duration.ofSeconds(1), Duration.ofDays(1)),
                "the age of long transactions must be 1 s to 1 day, was " + longTransaction);
        require(
                isWithin(patience, Duration.ZERO, Duration.ofHours(1)),
                "the time for which nodes are watched must be 0 to 1 hour, was " + patience);
    }

    /** Nothing but a clock. */
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
        return new DoctorOptions(clock, OptionalInt.of(value), node, maxPayloadBytes, longTransaction, patience);
    }

    /** The pool is that of this node. */
    public DoctorOptions withNode(int value) {
        return new DoctorOptions(clock, poolSize, OptionalInt.of(value), maxPayloadBytes, longTransaction, patience);
    }

    public DoctorOptions withMaxPayloadBytes(int value) {
        return new DoctorOptions(clock, poolSize, node, value, longTransaction, patience);
    }

    public DoctorOptions withLongTransaction(Duration value) {
        return new DoctorOptions(clock, poolSize, node, maxPayloadBytes, value, patience);
    }

    public DoctorOptions withPatience(Duration value) {
        return new DoctorOptions(clock, poolSize, node, maxPayloadBytes, longTransaction, value);
    }

    private static boolean isWithin(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new QueueMisuseException(rule);
        }
    }
}
