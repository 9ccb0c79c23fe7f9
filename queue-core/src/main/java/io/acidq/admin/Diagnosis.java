package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Why a message does not run, as it stood when it was asked. Immutable.
 *
 * @param id     the message
 * @param reason the reason
 * @param text   a sentence for people
 * @param facts  what the sentence is made of
 */
public record Diagnosis(MessageId id, DiagnosisReason reason, String text, Facts facts) {

    @Override
    public String toString() {
        return id + " " + reason + ": " + text;
    }

    /**
     * What is known, as far as it belongs to the reason.
     *
     * @param at       when it is due, when it died, by the database's clock
     * @param closedBy the message of its ordering key that stands before it
     * @param node     the node that has claimed it, or the one that stands before it
     * @param guard    the guard that holds it back, and its state
     * @param cause    of what it died: the beginning of its mark
     * @param before   how many unclaimed messages stand before it in its lane, one of 64; at most 10,000 are counted
     */
    public record Facts(
            Optional<Instant> at,
            Optional<MessageId> closedBy,
            Optional<Node> node,
            Optional<String> guard,
            Optional<String> cause,
            OptionalInt before) {

        private static final Facts NONE = new Facts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty());

        public static Facts none() {
            return NONE;
        }

        public Facts withAt(Instant value) {
            return new Facts(Optional.of(value), closedBy, node, guard, cause, before);
        }

        public Facts withClosedBy(MessageId value) {
            return new Facts(at, Optional.of(value), node, guard, cause, before);
        }

        public Facts withNode(Node value) {
            return new Facts(at, closedBy, Optional.of(value), guard, cause, before);
        }

        public Facts withGuard(String value) {
            return new Facts(at, closedBy, node, Optional.of(value), cause, before);
        }

        public Facts withCause(String value) {
            return new Facts(at, closedBy, node, guard, Optional.of(value), before);
        }

        public Facts withBefore(int value) {
            return new Facts(at, closedBy, node, guard, cause, OptionalInt.of(value));
        }
    }

    /**
     * A node.
     *
     * @param number its number
     * @param alive  whether it counts as living
     * @param host   the process and the host where it runs; empty when its row is gone
     * @param since  when it registered; empty when its row is gone
     */
    public record Node(int number, boolean alive, String host, Optional<Instant> since) {

        /** For people, such as {@code node 7 (4711@shop-1, since 2031-05-01T12:00:00Z)}. */
        @Override
        public String toString() {
            return "node " + number
                    + since.map(at -> " (" + host + ", since " + at + ")").orElse("");
        }
    }
}
