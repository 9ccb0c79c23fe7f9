package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
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
 * {@link java.util.Optional}; of a full one the content is published. Of a collection or an array of objects each element that is not null
 * becomes a message, all of them in one bulk enqueue, unless its class has {@link io.acidq.codec.MessageType}: then it is one message.
 *
 * <p>It works on proxies of interfaces and of classes, on methods of the class or of its interfaces, and as a meta-annotation. On a class it
 * stands for each public method that the class declares, on an interface for each of its methods; without {@link #payload()} only for those that
 * return something. What is written at a method goes before what is written at its type, and what is written in the class before what
 * its interfaces have. Several of them publish several messages.
 *
 * <p>A call within the same object ({@code this.place(…)}) passes no proxy and publishes nothing, as with {@code @Transactional}. Private,
 * static and final methods, and methods that return a future, a publisher, a map or a stream, are refused when their bean is created.
 *
 * <p>The expressions are SpEL as in Spring's cache: {@code #result}, arguments by name, {@code #p0} or {@code #a0}, {@code #root.method},
 * {@code #root.methodName}, {@code #root.args}, {@code #root.target}, {@code #root.targetClass}, and beans as {@code @name}; and {@code
 * #payload}, the payload of this message, which is one element where there are several; {@link #condition()} and {@link #payload()} do not
 * know it yet. A void method has no {@code #result}. All are evaluated after the body. An expression that names any other variable is refused
 * when the bean is created: so is an argument's name where the class is compiled without {@code -parameters}. One that throws fails
 * the call with a {@link io.acidq.MessageRejectedException} that names the method and the expression.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Publish.List.class)
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

    /** Headers, each as {@code name=expression}; one whose expression evaluates to null is left out. */
    String[] headers() default {};

    /**
     * Expression of whether to publish at all, asked before {@link #payload()}. Without it, or if it evaluates to true, it is published. One that is
     * neither true nor false, such as null, fails the call.
     */
    String condition() default "";

    /**
     * Expression of whether this message is not to be published, asked when its {@code #payload} is known. One that is neither true nor false, such
     * as null, fails the call.
     */
    String unless() default "";

    /** Expression of the payload instead of the return value; required for a void method. Null publishes nothing. */
    String payload() default "";

    /**
     * The bean name or qualifier of the transaction manager whose database has the queue; the application's one queue when empty.
     */
    String transactionManager() default "";

    /** Several at one place; the compiler writes it. */
    @Documented
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        Publish[] value();
    }
}
