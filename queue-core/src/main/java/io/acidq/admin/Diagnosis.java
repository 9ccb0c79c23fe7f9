package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The reason why a message does not run, or its current state, at the time of the call. Immutable.
 *
 * @param id     the id of the message
 * @param reason the reason
 * @param text   the reason as a sentence for people
 * @param facts  the values in that sentence
 */
public record Diagnosis(MessageId id, DiagnosisReason reason, String text, Facts facts) {

    @Override
    public String toString() {
        return id + " " + reason + ": " + text;
    }

    /**
     * The values of a diagnosis; only those that belong to the reason are present.
     *
     * @param at       when the message is due, or when it became a dead letter, by the database's clock
     * @param closedBy the earlier message of the same ordering key that it waits for
     * @param node     the node that has claimed the message, or the message that it waits for
     * @param guard    the guard that holds it back, and the guard's state
     * @param error    for a dead letter, the beginning of its last error
     * @param before   how many unclaimed messages are before it in its lane (a queue has 64 lanes); counted up to 10,000
     * @param expiresAt when the message expires, by the database's clock
     */
    public record Facts(
            Optional<Instant> at,
            Optional<MessageId> closedBy,
            Optional<Node> node,
            Optional<String> guard,
            Optional<String> error,
            OptionalInt before,
            Optional<Instant> expiresAt) {

        private static final Facts NONE = new Facts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty());

        /** No values. */
        public static Facts none() {
            return NONE;
        }

        public Facts withAt(Instant value) {
            return new Facts(Optional.of(value), closedBy, node, guard, error, before, expiresAt);
        }

        public Facts withClosedBy(MessageId value) {
            return new Facts(at, Optional.of(value), node, guard, error, before, expiresAt);
        }

        public Facts withNode(Node value) {
            return new Facts(at, closedBy, Optional.of(value), guard, error, before, expiresAt);
        }

        public Facts withGuard(String value) {
            return new Facts(at, closedBy, node, Optional.of(value), error, before, expiresAt);
        }

        public Facts withError(String value) {
            return new Facts(at, closedBy, node, guard, Optional.of(value), before, expiresAt);
        }

        public Facts withBefore(int value) {
            return new Facts(at, closedBy, node, guard, error, OptionalInt.of(value), expiresAt);
        }

        public Facts withExpiresAt(Instant value) {
            return new Facts(at, closedBy, node, guard, error, before, Optional.of(value));
        }
    }

    /**
     * A node: one engine from its start to its stop.
     *
     * @param number the number of the node
     * @param alive  whether it is alive, that is neither stopped nor declared dead
     * @param host   its process and host; empty when its row has been removed
     * @param since  when it registered; empty when its row has been removed
     */
    public record Node(int number, boolean alive, String host, Optional<Instant> since) {

        /** A text for people, such as {@code node 7 (4711@shop-1, since 2031-05-01T12:00:00Z)}. */
        @Override
        public String toString() {
            return "node " + number
                    + since.map(at -> " (" + host + ", since " + at + ")").orElse("");
        }
    }

    /** The reasons of a {@link Diagnosis}. If several apply, the diagnosis has the first in this order. */
    public enum DiagnosisReason {
        /** The message is in none of the tables: it has ended (done, cancelled, expired or discarded), or its enqueue did not commit. */
        GONE,
        /** The message is done and still in the archive of its queue. */
        DONE,
        /** The message is a dead letter. */
        DEAD,
        /** This engine runs the message, or a node that is alive has reported that it does. */
        RUNNING,
        /** This engine has claimed the message and has not started it yet, or another node has, and reported the guard that stops it. */
        UNSTARTED,
        /** Another node that is alive has claimed the message. */
        CLAIMED,
        /** A node that is no longer alive has claimed the message. Another node will free it. */
        ORPHANED,
        /** The message waits for its due time, or for its next attempt. */
        NOT_DUE,
        /** The queue is paused. */
        PAUSED,
        /** No node that is alive has a listener for the queue. */
        NO_LISTENER,
        /** The message has an ordering key, and this engine claims the queue by a strategy that ignores such messages. */
        STRATEGY_IGNORES_ORDERING_KEYS,
        /** An earlier message of the same ordering key is not finished. */
        BEHIND_EARLIER_MESSAGE,
        /** A circuit breaker, rate limit or bulkhead of this engine holds the queue back; in a process without a listener of the queue, one in each node that has. */
        GUARDED,
        /** Earlier runs of the message ended with a crash: it runs only while no other message of the queue does. */
        SUSPECT,
        /** Nothing holds the message back: it runs as soon as a worker is free. */
        READY
    }
}
