package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a bean the handler of a queue. It runs in a transaction that AcidQ begins and ends: its effects in the queue's
 * database and the acknowledgement commit together or not at all. Several threads call it at once.
 *
 * <p>The method takes, in any order: the payload (one parameter of a class of its own, plain or {@code @Payload}), the {@link
 * io.acidq.Delivery}, single headers as {@code @Header("name")}, all headers as {@code @Headers Map<String, String>}. It returns void,
 * which is {@link io.acidq.Outcome#done()}, or an {@link io.acidq.Outcome}. What it throws reaches the retry policy as it was thrown.
 * {@code @Transactional} on it joins AcidQ's transaction and is not needed.
 *
 * <p>Text attributes may hold placeholders {@code ${…}} and expressions {@code #{…}}. A wrong declaration fails the start with {@link
 * io.acidq.QueueMisuseException}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueueListener {

    /** The queue; one listener a queue in an application. */
    String queue();

    /**
     * How many messages run at once in this application, each on a thread and with a connection of its own: a number, or a range such as
     * {@code 2-16} for as many as the work needs within it. Too low: the queue lags; too high: the connection pool is exhausted.
     */
    String concurrency() default "4";

    /**
     * The bean name or qualifier of the {@link io.acidq.resilience.RetryPolicy}; when empty the one called {@code default} if there is one,
     * else {@link io.acidq.resilience.RetryPolicy#defaults()}.
     */
    String retry() default "";

    /** The name of a {@link io.acidq.resilience.Breaker}, a bean or known to a {@link GuardFinder}; no circuit breaker when empty. */
    String breaker() default "";

    /** The name of a {@link io.acidq.resilience.RateLimit}, a bean or known to a {@link GuardFinder}; no limit when empty. */
    String rateLimit() default "";

    /** The name of a {@link io.acidq.resilience.Bulkhead}, a bean or known to a {@link GuardFinder}; none when empty. */
    String bulkhead() default "";

    /**
     * {@code transactional}: in one transaction with the acknowledgement. {@code external}: without a transaction, for work outside the queue's
     * database, which happens at least once; {@code @Transactional} on the method then begins a transaction of its own.
     */
    String mode() default "transactional";

    /**
     * How long one call may take, such as {@code 30s}: then it is interrupted, its connection is broken, its worker replaced, and the attempt
     * counts. Too short: slow but honest runs are cut off and repeated; too long: a hanging one occupies its worker. No limit when empty.
     */
    String timeout() default "";

    /**
     * How many messages one transaction may hold, each behind a savepoint. Too low: a COMMIT for each message; too high: locks are held for
     * longer, and more is done again after a deadlock. With JPA leave it at 1: a persistence context knows nothing of savepoints.
     */
    String transactionSize() default "1";

    /** Whether this application serves the queue; {@code false} leaves its messages to others. */
    String autoStartup() default "true";
}
