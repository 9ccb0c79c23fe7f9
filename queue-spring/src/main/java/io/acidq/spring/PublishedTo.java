package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues application events: an event of this type that is passed to Spring's {@code ApplicationEventPublisher} becomes a message, in the
 * transaction of the call and before the call returns. The message exists if and only if that transaction commits.
 *
 * <pre>{@code
 * @PublishedTo(queue = "order.cancelled", key = "id", orderingKey = "customer")
 * record OrderCancelled(long id, String customer) {}
 * }</pre>
 *
 * <p><b>Transaction.</b> The call needs a read-write transaction of the queue's database; otherwise {@code publishEvent} throws {@link
 * io.acidq.QueueMisuseException} before other listeners are called. The event is enqueued on the caller's thread, even if the application's
 * event multicaster has an executor.
 *
 * <p><b>Types.</b> The type can be a class, a record or an {@code ApplicationEvent}, also with type parameters. A subtype without the
 * annotation uses those of its nearest supertype that has one. The event is the payload, unless {@link #payload()} is set.
 *
 * <p><b>Expressions</b> are SpEL. The event is the root object ({@code orderId} is a property of it) and {@code #event}; beans are {@code
 * @name}; {@code #payload} is the payload of this message, which is not available in {@link #condition()} and {@link #payload()}. An error in
 * an expression, such as an unknown variable, fails the first event of the type. The attributes have the syntax of those of {@link Publish}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PublishedTo.List.class)
public @interface PublishedTo {

    /** The name of the queue. May contain placeholders {@code ${…}}. Required unless {@link #topic} is set. */
    String queue() default "";

    /** The name of a topic in place of a queue, as in {@link Publish#topic()}. */
    String topic() default "";

    /** An expression for the message key, as in {@link Publish#key()}. */
    String key() default "";

    /** An expression for the ordering key, as in {@link Publish#orderingKey()}. */
    String orderingKey() default "";

    /** The priority of the message, as in {@link Publish#priority()}. */
    String priority() default "";

    /** The delay until the message is due, as in {@link Publish#delay()}. */
    String delay() default "";

    /** An expression for the time at which the message is due, as in {@link Publish#at()}. */
    String at() default "";

    /** How long after its due time the message may be started, as in {@link Publish#expiresAfter()}. */
    String expiresAfter() default "";

    /** The headers, each as {@code name=expression}, as in {@link Publish#headers()}. */
    String[] headers() default {};

    /** How long a receipt of the message is kept, as in {@link Publish#receipt()}. */
    String receipt() default "";

    /** How long a receipt with the result of the handler is kept, as in {@link Publish#result()}. */
    String result() default "";

    /** An expression that decides whether to publish at all, as in {@link Publish#condition()}. */
    String condition() default "";

    /** An expression that excludes this message if it is true, as in {@link Publish#unless()}. */
    String unless() default "";

    /** An expression for the payload, used in place of the event. Null publishes nothing. Default: the event. */
    String payload() default "";

    /**
     * The bean name or qualifier of the transaction manager whose database contains the queue, as in {@link Publish#transactionManager()}. An
     * unknown name fails the first event of the type.
     */
    String transactionManager() default "";

    /** The container of several annotations at one type, written by the compiler. */
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        PublishedTo[] value();
    }
}
