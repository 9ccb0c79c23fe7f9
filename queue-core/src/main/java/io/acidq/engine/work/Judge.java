package io.acidq.engine.work;

import io.acidq.HandlerTimeoutException;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a message whose run did not end in done: asks the retry policy, tells the guards, has the end written. Each
 * method returns the outcome; null when the message was given back, or was not this node's any more.
 */
final class Judge {

    private final Listener<?> listener;
    private final RetryPolicy retry;
    private final Completer completer;
    private final LongSupplier nanoTime;

    Judge(Listener<?> listener, Completer completer, LongSupplier nanoTime) {
        this.listener = listener;
        RetryPolicy chosen = listener.retry().given(); // a name was resolved when the engine was built
        this.retry = chosen == null ? RetryPolicy.defaults() : chosen;
        this.completer = completer;
        this.nanoTime = nanoTime;
    }

    /** The handler asked for it. Only a retry tells the guards of a failure: the others say nothing about what they guard. */
    @Nullable
    Outcome asked(Run run, ClaimedMessage message, Outcome asked) {
        if (asked instanceof Outcome.Retry) {
            run.passage(message).failed(new RolledBack(asked));
        }
        return completer.end(id(message), message, retry.limit(asked, message.attempts(), age(run, message)));
    }

    /** The handler threw. */
    @Nullable
    Outcome failed(Run run, ClaimedMessage message, Throwable failure) {
        run.passage(message).failed(failure);
        return completer.end(id(message), message, retry.afterFailure(failure, message.attempts(), age(run, message)));
    }

    /**
     * Its call was stopped at its limit, or given up.
     *
     * @param thrown what it threw when it was stopped; null when it is deaf
     */
    @Nullable
    Outcome late(Run run, ClaimedMessage message, @Nullable Throwable thrown) {
        return failed(
                run,
                message,
                new HandlerTimeoutException(listener.queue(), listener.options().timeout(), thrown));
    }

    @Nullable
    Outcome undecodable(ClaimedMessage message, Throwable e) {
        String cause = e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause());
        return completer.end(id(message), message, Outcome.dead(cause));
    }

    /** The queue's own database failed in a way that passes. */
    @Nullable
    Outcome passing(Run run, ClaimedMessage message, Throwable error) {
        run.passage(message).gaveBack(error);
        return giveBack(message, error);
    }

    /** The database failed before the handler was called, in whatever way: no fault of the message. The worker is to wait, and to tell. */
    @Nullable
    Outcome notStarted(Run run, ClaimedMessage message, Throwable error) {
        passing(run, message, error);
        if (error instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new IllegalStateException("the handler's transaction could not begin", error);
    }

    /** A suspect has waited for others to end for so long that they shall go on. */
    void suspectGivesWay(ClaimedMessage message, Duration wait) {
        completer.giveBack(
                id(message), message, wait, new IllegalStateException("a suspect runs alone, and others did not end"));
    }

    /** The run was cut short, by no fault of this message. */
    @Nullable
    Outcome giveBack(ClaimedMessage message, Throwable cause) {
        completer.giveBack(id(message), message, cause);
        return null;
    }

    /** The transaction that held several messages is lost, and each of them runs again alone. */
    void oneByOne(int messages, Throwable cause) {
        completer.oneByOne(listener.queue(), messages, cause);
    }

    /** The claim was lost while it ran. */
    @Nullable
    Outcome lost(ClaimedMessage message) {
        completer.fenced(id(message), message);
        return null;
    }

    private Duration age(Run run, ClaimedMessage message) {
        return message.age().plusNanos(nanoTime.getAsLong() - run.began());
    }

    private MessageId id(ClaimedMessage message) {
        return RunDelivery.idOf(listener.queue(), message);
    }
}
