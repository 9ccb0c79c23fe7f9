package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the queue of an injected {@link QueueTemplate}: {@code @QueueName("order.placed") QueueTemplate<Order> orders}, at a field or a
 * parameter. It may stand at an annotation of the application's own, which then stands for the queue. Each place gets an object of its own. A
 * {@code QueueTemplate} bean of the application with exactly the type that is asked for goes before.
 */
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueueName {

    /** The queue; placeholders {@code ${…}} are resolved. */
    String value();

    /** The transaction manager whose database has the queue, see {@link Publish#transactionManager()}. */
    String transactionManager() default "";
}
