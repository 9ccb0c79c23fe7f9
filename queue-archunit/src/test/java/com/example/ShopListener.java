package com.example;

import io.acidq.spring.QueueListener;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.core.annotation.AliasFor;

@Retention(RetentionPolicy.RUNTIME)
@QueueListener(queue = "order.placed")
public @interface ShopListener {
    @AliasFor(annotation = QueueListener.class, attribute = "mode")
    String how() default "transactional";
}
