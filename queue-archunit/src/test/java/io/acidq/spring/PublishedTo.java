package io.acidq.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The shape of the mark of application events that are messages. */
@Retention(RetentionPolicy.RUNTIME)
public @interface PublishedTo {
    String queue();

    String payload() default "";
}
