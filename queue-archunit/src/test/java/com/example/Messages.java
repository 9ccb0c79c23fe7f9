package com.example;

import io.acidq.spring.Publish;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A container of several. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Messages {
    Publish[] value();
}
