package io.acidq.resilience;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A decision for failures of one type and its subclasses. Immutable.
 *
 * @param failure the type of exception
 * @param causes  whether the causes of the exception are compared too
 * @param decision what becomes of it
 * @param delay   for a retry: the wait instead of the policy's backoff, spread by the policy's jitter; up to 365 days
 */
public record RetryRule(
        Class<? extends Throwable> failure,
        boolean causes,
        Decision decision,
        @Nullable Duration delay) {

    /** The decision about the message. The handler's effects are always rolled back. */
    public enum Decision {
        /** The message is retried within the maximum attempts and age. */
        RETRY,
        /** The message becomes a dead letter at once. */
        DEAD,
        /** The message is cancelled: it is removed without a retry or a dead letter. */
        IGNORE
    }

    public RetryRule {
        Class<?> type = failure; // a configuration can bring any class
        require(
                Throwable.class.isAssignableFrom(type),
                "retry policy: a rule needs a type of exception, and " + type.getName() + " is none");
        require(
                delay == null || isWithin(delay, Duration.ZERO, Duration.ofDays(365)),
                "retry policy: the delay of a rule must be between zero and 365 days, was " + delay);
    }

    /** Retries these failures with the policy's backoff. */
    public static RetryRule retryOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Decision.RETRY, null);
    }

    /** Retries these failures after this delay. */
    public static RetryRule retryOn(Class<? extends Throwable> failure, Duration delay) {
        return new RetryRule(failure, false, Decision.RETRY, delay);
    }

    /** Dead-letters the message at once. */
    public static RetryRule deadOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Decision.DEAD, null);
    }

    /** Cancels the message; its effects are rolled back. */
    public static RetryRule ignoreOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Decision.IGNORE, null);
    }

    /** Compares the causes of the exception too. */
    public RetryRule orCause() {
        return new RetryRule(failure, true, decision, delay);
    }

    boolean matches(Throwable thrown) {
        return causes ? CauseChain.of(thrown).stream().anyMatch(failure::isInstance) : failure.isInstance(thrown);
    }
}
