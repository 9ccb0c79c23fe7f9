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
 * <p>The method takes, in any order: the payload (one parameter of a class of its own, plain, {@code @Payload} or as {@code Message<T>}), the
 * {@link io.acidq.Delivery}, single headers as {@code @Header("name")}, all headers as {@code @Headers Map<String, String>}. With {@code @Valid} or
 * {@code @Validated} the payload is validated first. It returns void,
 * which is {@link io.acidq.Outcome#done()}, or an {@link io.acidq.Outcome}. What it throws reaches the retry policy as it was thrown.
 * {@code @Transactional} on it joins AcidQ's transaction and is not needed. A method that begins a transaction of its own and does not end it has failed:
 * both are rolled back. What type variables of its class are is read from the bean's class.
 *
 * <p>On an annotation of the application's own it makes that one a listener annotation; {@code @AliasFor} passes attributes on.
 *
 * <p>Text attributes may hold placeholders {@code ${…}} and expressions {@code #{…}}. A wrong declaration, such as an expression that evaluates to
 * null, fails the start with {@link io.acidq.QueueMisuseException}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueueListener {

    /** The queue; one listener a queue in an engine. */
    String queue() default "";

    /**
     * Several queues, each of which gets a listener of its own that calls this method; an expression may stand for several. In place of
     * {@link #queue} or beside it.
     */
    String[] queues() default {};

    /**
     * The name under which {@link QueueListenerRegistry} knows it, with all its queues; {@code <bean>.<method>} when empty, with a number from the second
     * of that name on.
     */
    String id() default "";

    /**
     * Whether the method takes several messages in one transaction: {@code List<T>} of payloads, {@code List<Delivery>}, {@code
     * List<Message<T>>}, in the same order. It returns void or a {@code List<Outcome>}, one for each. See {@link io.acidq.BatchHandler}: when
     * it throws, all is rolled back and each message runs again alone, as a list of one.
     */
    String batch() default "false";

    /** The {@link QueueErrorHandler} that is asked before the retry policy, by its bean name or as {@code #{@name}}; none when empty. */
    String errorHandler() default "";

    /** The {@link ListenerDefaults} from which empty attributes are taken, by bean name or as {@code #{@name}}; none when empty. */
    String containerFactory() default "";

    /**
     * A SpEL expression over {@code #payload}, {@code #headers} and {@code #delivery}; the payload is its root. A message that does not meet it is
     * acknowledged as done, and the method is not called. An expression that names any other variable, such as a parameter of the method, fails the
     * start. When it throws, or is neither true nor false, such as null, the message has failed with a {@link io.acidq.QueueMisuseException}
     * that names the method and the expression. All meet it when empty.
     */
    String condition() default "";

    /**
     * The bean name or qualifier of the transaction manager whose engine runs it, where an application has several databases: see {@link
     * QueueEngine}. The application's main engine when empty.
     */
    String transactionManager() default "";

    /**
     * How many messages run at once in this application, each on a thread and with a connection of its own: a number, or a range such as
     * {@code 2-16} for as many as the work needs within it. Too low: the queue lags; too high: the connection pool is exhausted. 4 when empty.
     */
    String concurrency() default "";

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
     * database, which happens at least once; {@code @Transactional} on the method then begins a transaction of its own. Transactional when empty.
     */
    String mode() default "";

    /**
     * How long one call may take, with its unit such as {@code 30s}: then it is interrupted, its connection is broken, its worker replaced, and the attempt
     * counts. Too short: slow but honest runs are cut off and repeated; too long: a hanging one occupies its worker. No limit when empty.
     */
    String timeout() default "";

    /**
     * How many messages one transaction may hold, each behind a savepoint. Too low: a COMMIT for each message; too high: locks are held for
     * longer, and more is done again after a deadlock. With JPA leave it at 1: a persistence context knows nothing of savepoints.
     * When empty 1, and 20 for a batch.
     */
    String transactionSize() default "";

    /**
     * Whether it starts with the application; {@code false} leaves its messages to others until {@link QueueListenerRegistry#start} is
     * called.
     */
    String autoStartup() default "true";
}
