package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean as the handler of a queue. The method runs in a transaction that AcidQ begins and ends: its changes in the queue's
 * database and the acknowledgement of the message commit together or not at all.
 *
 * <pre>{@code
 * @QueueListener(queue = "order.placed", concurrency = "2-8", retry = "slow", timeout = "30s")
 * void ship(Order order, @Header("tenant") String tenant, Delivery delivery) { … }
 * }</pre>
 *
 * <p><b>Parameters</b>, in any order: the payload (one parameter of a class without type parameters, or {@code Map<String, Object>}, alone, with
 * {@code @Payload}, or as {@code Message<T>}); the {@link io.acidq.Delivery}; single headers as {@code @Header("name")}; all headers as
 * {@code @Headers Map<String, String>}. A payload with {@code @Valid} or {@code @Validated} is validated first. Type variables of a generic
 * superclass are resolved from the bean's class.
 *
 * <p><b>Return value.</b> The method returns void, which means {@link io.acidq.Outcome#done()}, an {@link io.acidq.Outcome}, or the result, as in {@link
 * io.acidq.Outcome#done(Object)}. Methods that return a future or a publisher are refused. An exception is
 * passed unchanged to the {@link #errorHandler()} and the {@link #retry()} policy. The work must be done when the method returns: a method that a proxy
 * calls on another thread, such as one with {@code @Async}, is refused. So is one that it may not call at all, such as one with {@code @Cacheable}, and in
 * transactional mode one that it calls again after a failure ({@code @Retryable}).
 *
 * <p><b>Transaction.</b> {@code @Transactional} on the method joins AcidQ's transaction and is not needed. A propagation that leaves it
 * ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}, {@code NEVER}) is refused. If the method begins a transaction of
 * its own and does not end it, the run fails, and both transactions are rolled back. For work without a transaction see {@link #mode()}.
 *
 * <p><b>Beans.</b> The beans of the context and of parent contexts without engines are searched when the engine is built. A lazy singleton whose definition
 * does not declare its class is created for that. A bean whose listener was not found, because its class was not known then, cannot be created later.
 *
 * <p><b>Threads.</b> Several workers call the method concurrently, so the bean must be thread-safe.
 *
 * <p>The annotation can be used as a meta-annotation; {@code @AliasFor} passes attributes on. Text attributes may contain placeholders
 * {@code ${…}} and expressions {@code #{…}}. A wrong declaration, such as an expression that evaluates to null, fails the start with {@link
 * io.acidq.QueueMisuseException}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueueListener {

    /**
     * The name of the queue: 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit. A queue has at most one listener per engine.
     * Required unless {@link #queues} or {@link #topic} is set.
     */
    String queue() default "";

    /**
     * The name of a topic in place of a queue. The listener gets the messages of its {@link #subscription}, which the start adds when it is new. Listeners of
     * the same subscription, in several applications, share its messages; listeners of different subscriptions each get all of them. Default: none.
     */
    String topic() default "";

    /** The name of the subscription, unique in the topic. Its queue is {@code topic/subscription}. Required with {@link #topic}. */
    String subscription() default "";

    /**
     * Which messages of the topic the subscription gets, such as {@code type = 'OrderPlaced' and region in ('eu', 'us')}; see {@link
     * io.acidq.admin.Subscriptions}. A subscription that exists with another filter fails the start. Default: the filter that the subscription has, none if
     * it is new.
     */
    String filter() default "";

    /**
     * The names of several queues. Each of them gets a listener of its own that calls this method. An expression may return several names. Can
     * be combined with {@link #queue}, not with {@link #topic}. Default: none.
     */
    String[] queues() default {};

    /**
     * The id of the listener in the {@link QueueListenerRegistry}, for all its queues. Must be unique. Default: {@code <bean>.<method>}, with
     * {@code #2}, {@code #3}, … for further listeners of that name.
     */
    String id() default "";

    /**
     * Whether the method takes several messages in one transaction: as a {@code List<T>} of payloads, a {@code List<Delivery>} or a {@code
     * List<Message<T>>}, in the same order. It returns void or a {@code List<Outcome>} with one outcome per message. If it throws, the
     * transaction is rolled back, and each message runs again alone, as a list of one: see {@link io.acidq.BatchHandler}. {@code true} or {@code
     * false}. Default: {@code false}.
     */
    String batch() default "false";

    /**
     * The {@link QueueErrorHandler} that is called before the retry policy, by bean name or as {@code #{@name}}. Default: that of the {@link
     * #containerFactory}, else none.
     */
    String errorHandler() default "";

    /**
     * The {@link ListenerDefaults} that supply the attributes which are empty here, by bean name or as {@code #{@name}}. Default: none.
     */
    String containerFactory() default "";

    /**
     * A SpEL expression that decides whether the method is called, over {@code #payload} (which is also the root object), {@code #headers} and
     * {@code #delivery}. If it is false, the message is acknowledged as done. The parameters of the method are not available: an expression that
     * names another variable fails the start, and so does one whose variable is the name of a parameter with another content. An expression that
     * throws, or is neither true nor false, such as null, fails the message with a {@link io.acidq.QueueMisuseException} that names the method and
     * the expression. Placeholders {@code ${…}} are resolved. Default: all messages.
     */
    String condition() default "";

    /**
     * The bean name or qualifier of the transaction manager whose engine runs the listener, for applications with several databases: see {@link
     * QueueEngine}. Default: the main engine.
     */
    String transactionManager() default "";

    /**
     * The number of messages that run concurrently in this application, each on a thread and with a connection of its own: a number such as
     * {@code 4}, or a range such as {@code 2-16}, within which the number of workers follows the work. 1 to 1000. Too low: the backlog grows. Too high: the
     * connection pool is exhausted. Default: that of the {@link #containerFactory}, else 4.
     */
    String concurrency() default "";

    /**
     * The bean name or qualifier of the {@link io.acidq.resilience.RetryPolicy}. Default: that of the {@link #containerFactory}, else the policy
     * named {@code default} if there is one, else {@link io.acidq.resilience.RetryPolicy#defaults()}.
     */
    String retry() default "";

    /**
     * The name of the {@link io.acidq.resilience.Breaker} that holds messages back while too many runs fail. It is the name of a bean, or a name that a
     * {@link GuardFinder} knows. Default: no circuit breaker.
     */
    String breaker() default "";

    /**
     * The name of the {@link io.acidq.resilience.RateLimit} that limits how many messages this application starts in a period. It is the name of a bean, or a
     * name that a {@link GuardFinder} knows. Default: no limit.
     */
    String rateLimit() default "";

    /**
     * The name of the {@link io.acidq.resilience.Bulkhead} that limits how many messages run at the same time; several listeners can share it. It is the name
     * of a bean, or a name that a {@link GuardFinder} knows. Default: no bulkhead.
     */
    String bulkhead() default "";

    /**
     * {@code transactional}: the method and the acknowledgement share one transaction. {@code external}: the method runs without a transaction,
     * for work outside the queue's database, which is done at least once; {@code @Transactional} on the method then begins a transaction of its
     * own. Default: that of the {@link #containerFactory}, else {@code transactional}.
     */
    String mode() default "";

    /**
     * The longest time of one call, with a unit, such as {@code 30s} or {@code PT30S}; 1 ms to 365 days. After it the call is interrupted, then its connection is
     * aborted and its worker replaced; the attempt counts. Too short: slow but correct runs are interrupted and repeated. Too long: a run that hangs
     * occupies its worker. Default: that of the {@link #containerFactory}, else no limit.
     */
    String timeout() default "";

    /**
     * Whether the expiry of a message also ends its run, as a {@link #timeout} does that comes to the time left when the method is called. {@code true} or
     * {@code false}. Default: {@code false}: a run that began before the expiry goes on.
     */
    String deadline() default "false";

    /**
     * Whether the thread of a call is interrupted when an operator asks to cancel its message. {@code true} or {@code false}. Default: {@code false}: the method
     * asks {@link io.acidq.Delivery#isCancelRequested}.
     */
    String interruptOnCancel() default "false";

    /**
     * The largest number of messages in one transaction, 1 to 1000; if one fails, they run again, each behind a savepoint. 1 in external mode. Too
     * low: a COMMIT per message. Too high: locks are held longer, and more work is repeated after a deadlock. Leave it at 1 with JPA: a persistence
     * context is not rolled back with a savepoint. Default: that of the {@link #containerFactory}, else 1, or 20 for a batch listener.
     */
    String transactionSize() default "";

    /**
     * Whether the listener starts with the application. If {@code false}, its messages wait for other processes until {@link
     * QueueListenerRegistry#start} is called. {@code true} or {@code false}. Default: {@code true}.
     */
    String autoStartup() default "true";
}
