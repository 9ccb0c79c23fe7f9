package com.alibaba.csp.sentinel.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Stands for the annotation of this name, whose library is not on the class path of the tests. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface SentinelResource {

    String value() default "";

    String blockHandler() default "";

    String fallback() default "";

    String defaultFallback() default "";
}
