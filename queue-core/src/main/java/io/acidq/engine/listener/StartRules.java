package io.acidq.engine.listener;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.QueueConfig.ExpiryAction;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.Objects;

/** Decides whether a message may be started: not if an operator has cancelled it, and not after its expiry. Thread-safe. */
final class StartRules {

    /** The outcome of a message that an operator has cancelled. */
    static final Outcome CANCELLED = Outcome.cancel("an operator has cancelled it");

    private final String queue;
    private final boolean hasDeadline;
    private final ExpiryAction onExpiry;
    private final NodeContext node;

    StartRules(Listener<?> listener, QueueConfig settings, NodeContext node) {
        this.queue = listener.queue();
        this.hasDeadline = listener.options().deadline();
        this.onExpiry = settings.onExpiry();
        this.node = node;
    }

    /**
     * Checks that the handler may be called for a message.
     *
     * @throws NotStartedException when the message has expired, or an operator has asked to cancel it
     */
    void check(ClaimedMessage message) {
        if (node.cancelRequests().contains(message.uid())) {
            throw new NotStartedException(message.id(queue), CANCELLED);
        }
        if (hasExpired(message)) {
            throw new NotStartedException(message.id(queue), ofExpired(message));
        }
    }

    /** Returns whether a message has expired, and no operator has asked to cancel it. */
    boolean hasExpired(ClaimedMessage message) {
        ClaimedMessage.TimeLeft left = message.timeLeft();
        return left != null
                && !isPositive(left.at(node.nanoTime().getAsLong()))
                && !node.cancelRequests().contains(message.uid());
    }

    /** Returns the outcome of a message that has expired before its start. */
    Outcome ofExpired(ClaimedMessage message) {
        ClaimedMessage.TimeLeft left = Objects.requireNonNull(message.timeLeft());
        return expired("expired at " + left.expiresAt() + ", before it was started");
    }

    private static boolean isPositive(Duration time) {
        return !time.isNegative() && !time.isZero();
    }

    private Outcome expired(String error) {
        return onExpiry == ExpiryAction.DEAD ? Outcome.dead(error) : Outcome.cancel(error);
    }

    /** Replaces an outcome that plans a start after the expiry of the message. A failure is kept in a dead letter. */
    Outcome withinExpiry(ClaimedMessage message, Outcome outcome) {
        ClaimedMessage.TimeLeft left = message.timeLeft();
        if (left == null) {
            return outcome;
        }
        Duration time = left.at(node.nanoTime().getAsLong());
        if (outcome instanceof Outcome.Retry planned && !isPositive(time.minus(planned.delay()))) {
            return Outcome.dead("no start is left before its expiry at " + left.expiresAt() + ": " + planned.error());
        }
        return outcome instanceof Outcome.Snooze planned && !isPositive(time.minus(planned.delay()))
                ? expired("was snoozed beyond its expiry at " + left.expiresAt())
                : outcome;
    }

    /** Returns whether the call of a handler was stopped because its message has expired, and not by its timeout. */
    boolean isPastDeadline(ClaimedMessage message) {
        ClaimedMessage.TimeLeft left = message.timeLeft();
        return hasDeadline
                && left != null
                && !isPositive(left.at(node.nanoTime().getAsLong()));
    }

    /**
     * The exception for a message whose handler must not be called, with the outcome that ends it. It rolls back the
     * handler's transaction.
     */
    static final class NotStartedException extends AcidqException {

        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        NotStartedException(MessageId id, Outcome outcome) {
            super(id + " is not started: " + outcome);
            this.outcome = outcome;
        }

        Outcome outcome() {
            return outcome;
        }
    }
}
