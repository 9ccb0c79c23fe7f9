package io.github.resilience4j.circuitbreaker.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Stands for the annotation of this name, whose library is not on the class path of the tests. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface CircuitBreaker {

    String name() default "";

    String fallbackMethod() default "";
}
