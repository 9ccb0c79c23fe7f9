package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a recurring message: the start of the application adds it, or changes it if the annotation was changed. Every attribute may have
 * placeholders and SpEL templates, such as {@code ${report.cron}}. For one message per tenant, say, call {@link io.acidq.admin.RecurringMessages#put}
 * instead; a bean of type {@link io.acidq.Recurring} is declared too.
 *
 * <p>On a method with {@link QueueListener}, each tick enqueues to the queue of the listener. Its payload is the {@link io.acidq.Tick}:
 *
 * <pre>{@code
 * @QueueListener(queue = "report.run")
 * @RecurringMessage(cron = "0 30 2 * * *", zone = "Europe/Berlin")
 * void report(Tick tick) { … }
 * }</pre>
 *
 * <p>On another method of a bean, without parameters, each tick enqueues to {@link #queue}. The method is called once, at the start of the application, and what
 * it returns is the payload of every tick.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RecurringMessage.List.class)
public @interface RecurringMessage {

    /** Identifies it in the database. Default: the name of the queue. */
    String name() default "";

    /**
     * A cron expression of six fields, such as {@code 0 30 2 * * *}; needs {@link #zone}. Set exactly one of this, {@link #every} and {@link #after}.
     * With {@code -} nothing is declared; a recurring message that an earlier start has added goes on until it is removed.
     */
    String cron() default "";

    /** The time zone of the cron expression, such as {@code Europe/Berlin}. */
    String zone() default "";

    /** A fixed rate, such as {@code 30s}. */
    String every() default "";

    /** A fixed delay after the end of the previous message, such as {@code 15m}. */
    String after() default "";

    /** The queue; only on a method without {@link QueueListener}. */
    String queue() default "";

    /**
     * The policy for ticks that are later than {@link #grace}: {@code once}, {@code skip} or {@code catch-up 5}. Default: once, or skip for a fixed
     * rate of less than a minute.
     */
    String misfire() default "";

    /** How late a tick may be and still count as on time. Default: 1m. */
    String grace() default "";

    /** The policy for a tick while the previous message has not ended: {@code allow}, the default, or {@code skip}. */
    String overlap() default "";

    /** How long after its enqueue the message of a tick may be started, such as {@code 3h}. Default: as the queue says. */
    String expiresAfter() default "";

    /** The window in which ticks come later than the schedule says, such as {@code 10m}; the name decides how much later. Default: none. */
    String spread() default "";

    /** Several on one method; each needs a name of its own. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        RecurringMessage[] value();
    }
}
