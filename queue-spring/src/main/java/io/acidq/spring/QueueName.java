package io.acidq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the queue of a {@link QueueTemplate} that is injected into the annotated field or parameter.
 *
 * <pre>{@code
 * Orders(@QueueName("order.placed") QueueTemplate<Order> placed) {
 *     this.placed = placed;
 * }
 * }</pre>
 *
 * <p>It can be used as a meta-annotation, so that the name is written once. Each injection point gets an object of its own. A {@code
 * QueueTemplate} bean of the application with exactly the requested type takes precedence.
 */
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueueName {

    /** The name of the queue. May contain placeholders {@code ${…}}. */
    String value();

    /**
     * The bean name or qualifier of the transaction manager whose database contains the queue, as in {@link Publish#transactionManager()}. An
     * unknown name fails the first use of the template.
     */
    String transactionManager() default "";
}
