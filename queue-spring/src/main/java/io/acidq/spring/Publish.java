package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues the return value of a method in the transaction of the method. The message exists if and only if that transaction commits.
 *
 * <pre>{@code
 * @Transactional
 * @Publish(topic = "order.placed", key = "#result.id", headers = "tenant=#tenant", unless = "#result.test")
 * @Publish(queue = "order.remind", payload = "#result.id", delay = "3d")
 * public Order place(NewOrder order, String tenant) { … }
 * }</pre>
 *
 * <p><b>Transaction.</b> The method needs a read-write transaction of the queue's database, begun by its own {@code @Transactional} or by a
 * caller. Without one, {@link io.acidq.QueueMisuseException} is thrown before the method body runs. The message is enqueued after the body
 * has returned and before the transaction commits, whatever the order of the other advice. If the enqueue fails, the exception is thrown from
 * the method, and the transaction rolls back.
 *
 * <p><b>Payload.</b> The payload is the return value, the content of a returned {@link java.util.Optional}, or the value of {@link
 * #payload()}. Each element of a collection or of an array of objects that is not null becomes a separate message; all of them are enqueued
 * at once. A collection whose class has {@link io.acidq.codec.MessageType} is one message. Nothing is published if the method throws, or
 * returns null or an empty {@code Optional}. Methods that return a future, a publisher, a map, an iterator or a stream are refused; with {@link
 * #payload()} only those whose work begins after they return, such as reactive ones.
 *
 * <p><b>Expressions</b> are SpEL, as in Spring's cache abstraction, and are evaluated after the method body. They can use:
 *
 * <ul>
 *   <li>{@code #result}, the return value; not for a void method
 *   <li>the arguments by name, or as {@code #p0} and {@code #a0}
 *   <li>{@code #root.method}, {@code #root.methodName}, {@code #root.args}, {@code #root.target} and {@code #root.targetClass}
 *   <li>beans, as {@code @name}
 *   <li>{@code #payload}, the payload of this message, which is one element of a collection; not in {@link #condition()} and {@link #payload()}
 * </ul>
 *
 * <p>An expression that names any other variable is refused when the bean is created; so is the name of an argument if the class is compiled
 * without {@code -parameters}. An expression is also refused if an argument has the name of a variable of this list, such as {@code
 * #result} in a method with an argument {@code result}: use {@code #p0} for the argument, or rename it. An expression
 * that throws fails the call with a {@link io.acidq.MessageRejectedException} that names the method and the expression.
 *
 * <p><b>Placement.</b> The annotation is repeatable, can be used as a meta-annotation, and works on proxies of interfaces and of classes. On a
 * class it applies to each public method that the class declares, on an interface to each of its methods; without {@link #payload()} only to
 * methods that return a value. An annotation on a method takes precedence over one on its type, and one on the class over one on its
 * interfaces. A call within the same object ({@code this.place(…)}) does not pass through the proxy and publishes nothing, as with {@code
 * @Transactional}. An annotated method that is private, static or final is refused when its bean is created; so is a {@code @Bean} method, and a
 * method of a Spring Data repository, whose own transaction ends too early: annotate the service method that calls it.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Publish.List.class)
public @interface Publish {

    /**
     * The name of the queue: 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit. May contain placeholders {@code ${…}}.
     * Required unless {@link #topic} is set.
     */
    String queue() default "";

    /**
     * The name of a topic in place of a queue: each of its subscriptions gets the message. May contain placeholders {@code ${…}}. Several messages are
     * published one after the other. Default: none.
     */
    String topic() default "";

    /**
     * An expression for the message key, such as {@code "#result.id"}: 1 to 255 bytes of UTF-8. An expression that evaluates to null fails the call. If
     * the key is taken, the queue's setting decides ({@code acidq.queues.<queue>.on-duplicate}); by default no message is added. Default: no key.
     */
    String key() default "";

    /**
     * An expression for the ordering key, such as {@code "#result.customer"}: 1 to 255 bytes of UTF-8. An expression that evaluates to null fails the
     * call. Default: no ordering key.
     */
    String orderingKey() default "";

    /**
     * The delay until the message is due: a duration with a unit, such as {@code 500ms}, {@code 30s}, {@code 3d} or {@code PT1H}, with
     * placeholders {@code ${…}} if needed; or an expression for a {@link java.time.Duration} or such a text. 0 to 1000 years. Null means no delay.
     * Cannot be combined with {@link #at()}. Default: due at once.
     */
    String delay() default "";

    /**
     * An expression for the time at which the message is due: an {@link java.time.Instant}, {@link java.time.OffsetDateTime} or {@link
     * java.time.ZonedDateTime}, from 1970-01-01 to 9999-01-01 (UTC). Null, or a time in the past, means at once. Default: due at once.
     */
    String at() default "";

    /**
     * How soon the message starts compared with others of the queue: {@code high}, {@code normal} or {@code low}, in any case, with placeholders
     * {@code ${…}} if needed; or an expression for a {@link io.acidq.Priority} or such a text, such as {@code "#result.urgent ? 'high' : 'normal'"}.
     * Not with {@link #orderingKey}. Null or no priority means the default of the queue.
     */
    String priority() default "";

    /**
     * How long after its due time the message may be started: a duration or an expression, as {@link #delay()}. 1 ms to 1000 years. A message that has not
     * started by then is ended without its listener, see {@link io.acidq.config.QueueConfig#onExpiry}. Null, and the default: the setting of the queue,
     * or no end if it has none.
     */
    String expiresAfter() default "";

    /**
     * The headers, each as {@code name=expression}, such as {@code "tenant=#tenant"} or {@code "source='web'"}. A header whose expression
     * evaluates to null is left out. All headers of a message have at most 8000 characters, encoded. Default: no headers.
     */
    String[] headers() default {};

    /**
     * Gives the message a receipt, see {@link io.acidq.EnqueueOptions#receipt}: how long it is kept after the end of the message, a duration with a unit such
     * as {@code 1d}, with placeholders {@code ${…}} if needed. {@link io.acidq.Receipts#findByKey} finds it by the message key. Default: no receipt.
     */
    String receipt() default "";

    /**
     * Gives the message a receipt that also keeps the result of the handler, for a duration as in {@link #receipt}. Only one of the two can be given.
     * Default: no receipt.
     */
    String result() default "";

    /**
     * An expression that decides whether to publish at all, evaluated before {@link #payload()}. Must evaluate to true or false; any other
     * value, such as null, fails the call. Default: publish.
     */
    String condition() default "";

    /**
     * An expression that excludes this message if it is true, evaluated when {@code #payload} is known. Must evaluate to true or false; any
     * other value, such as null, fails the call. Default: exclude nothing.
     */
    String unless() default "";

    /**
     * An expression for the payload, used in place of the return value. A void method needs it. Null publishes nothing. Default: the return
     * value.
     */
    String payload() default "";

    /**
     * The bean name or qualifier of the transaction manager whose database contains the queue. An unknown name fails the start. Default: the
     * application's {@link io.acidq.MessageQueue}.
     */
    String transactionManager() default "";

    /** The container of several annotations at one place, written by the compiler. */
    @Documented
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        Publish[] value();
    }
}
