package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes messages of application events: an event of this type that is given to Spring's {@code ApplicationEventPublisher} is enqueued in the
 * transaction of that call, before the call returns. The message exists if and only if that transaction commits.
 *
 * <p>The type may be any class, record or {@code ApplicationEvent}, with type parameters too; subtypes have the mark of the nearest type
 * above them that has one. The call must be in a read-write transaction of the queue's database; otherwise {@code publishEvent} throws
 * {@link io.acidq.QueueMisuseException}, before other listeners are called. It runs on the caller's thread, whatever executor the application's
 * multicaster has.
 *
 * <p>The expressions are SpEL: the event is the root and {@code #event}, so {@code orderId} is its property, and beans are {@code @name};
 * {@code #payload} is the payload of this message, which {@link #condition()} and {@link #payload()} do not know yet. What is wrong with them,
 * such as a variable that does not exist, fails the first event of the type. The attributes mean what they mean in {@link Publish}; without {@link
 * #payload()} the event is the payload.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PublishedTo.List.class)
public @interface PublishedTo {

    /** The queue; placeholders {@code ${…}} are resolved. */
    String queue();

    /** Expression of the message key, see {@link Publish#key()}. */
    String key() default "";

    /** Expression of the ordering key, see {@link Publish#orderingKey()}. */
    String orderingKey() default "";

    /** How long the message waits, see {@link Publish#delay()}. */
    String delay() default "";

    /** Expression of the instant that the message is due at, see {@link Publish#at()}. */
    String at() default "";

    /** Headers, each as {@code name=expression}, see {@link Publish#headers()}. */
    String[] headers() default {};

    /** Expression of whether to publish, see {@link Publish#condition()}. */
    String condition() default "";

    /** Expression of whether this message is not to be published, see {@link Publish#unless()}. */
    String unless() default "";

    /** Expression of the payload instead of the event; null publishes nothing. */
    String payload() default "";

    /** The transaction manager whose database has the queue, see {@link Publish#transactionManager()}. */
    String transactionManager() default "";

    /** Several at one type; the compiler writes it. */
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        PublishedTo[] value();
    }
}
