package io.acidq.resilience;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of failures of one type, subclasses included. Immutable.
 *
 * @param failure the type
 * @param causes  whether the causes of what the handler threw are looked at too
 * @param verdict what becomes of it
 * @param delay   for a retry: the wait instead of the policy's backoff, spread by the policy's jitter; up to 365 days
 */
public record RetryRule(
        Class<? extends Throwable> failure,
        boolean causes,
        Verdict verdict,
        @Nullable Duration delay) {

    /** What becomes of a failure. The handler's effects are rolled back in every case. */
    public enum Verdict {
        /** It is retried while attempts and age allow. */
        RETRY,
        /** It is a dead letter at once. */
        DEAD,
        /** The message leaves as cancelled: no retry, no dead letter, and its effects are not kept. */
        IGNORE
    }

    public RetryRule {
        Class<?> type = failure; // a configuration can bring any class
        if (!Throwable.class.isAssignableFrom(type)) {
            throw new QueueMisuseException(
                    "retry policy: a rule needs a type of exception, and " + type.getName() + " is none");
        }
        if (delay != null && (delay.isNegative() || delay.compareTo(Duration.ofDays(365)) > 0)) {
            throw new QueueMisuseException(
                    "retry policy: the delay of a rule must be between zero and 365 days, was " + delay);
        }
    }

    /** Retries these failures with the policy's backoff. */
    public static RetryRule retryOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Verdict.RETRY, null);
    }

    /** Retries these failures after a delay of their own. */
    public static RetryRule retryOn(Class<? extends Throwable> failure, Duration delay) {
        return new RetryRule(failure, false, Verdict.RETRY, delay);
    }

    /** Makes a dead letter at once. */
    public static RetryRule deadOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Verdict.DEAD, null);
    }

    /** Lets the message leave as cancelled, its effects rolled back. */
    public static RetryRule ignoreOn(Class<? extends Throwable> failure) {
        return new RetryRule(failure, false, Verdict.IGNORE, null);
    }

    /** The same rule, which looks at the causes too. */
    public RetryRule orCause() {
        return new RetryRule(failure, true, verdict, delay);
    }

    boolean matches(Throwable thrown) {
        return causes ? Causes.of(thrown).stream().anyMatch(failure::isInstance) : failure.isInstance(thrown);
    }
}
