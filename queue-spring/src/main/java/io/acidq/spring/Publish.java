package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues what a method returns, inside the method's own transaction: the message exists if and only if that transaction commits.
 *
 * <p>The method must run in a read-write transaction of the queue's database, begun by its own {@code @Transactional} or by a
 * caller's; otherwise {@link io.acidq.QueueMisuseException} is thrown before the method's body runs. The message is enqueued after
 * the body has returned and before that transaction commits, whatever the order of the other advice. A failure to enqueue comes out
 * of the method, so its transaction rolls back. Nothing is published when the method throws, or returns null or an empty
 * {@link java.util.Optional}; of a full one the content is published.
 *
 * <p>It works on proxies of interfaces and of classes, on methods of the class or of its interfaces, and as a meta-annotation. A call
 * within the same object ({@code this.place(…)}) passes no proxy and publishes nothing, as with {@code @Transactional}. Private, static
 * and final methods, and methods that return a future or a publisher, are refused at start; so are those that return a collection, map
 * or stream without a class of its own, unless {@link #payload()} names another payload: return a record that holds it.
 *
 * <p>The expressions are SpEL as in Spring's cache: {@code #result}, arguments by name, {@code #p0} or {@code #a0}, {@code #root.method},
 * {@code #root.methodName}, {@code #root.args}, {@code #root.target}, {@code #root.targetClass}, and beans as {@code @name}. All are
 * evaluated after the body.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Publish {

    /** The queue; placeholders {@code ${…}} are resolved. */
    String queue();

    /** Expression of the message key. Without it there is none; an expression that evaluates to null is refused. */
    String key() default "";

    /** Expression of the ordering key. Without it there is none; an expression that evaluates to null is refused. */
    String orderingKey() default "";

    /**
     * How long the message waits: a duration such as {@code 30s}, {@code 3d} or {@code PT1H}, with placeholders if wanted, or an
     * expression of a {@link java.time.Duration} or of such a text. Null is no delay. Not together with {@link #at()}.
     */
    String delay() default "";

    /** Expression of the instant that the message is due at: an {@link java.time.Instant} or a date with zone. Null is at once. */
    String at() default "";

    /** Expression of whether to publish at all. Without it, or if it evaluates to true, the message is published. */
    String condition() default "";

    /** Expression of the payload instead of the return value; required for a void method. Null publishes nothing. */
    String payload() default "";
}
