package com.example;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.annotation.Transactional;

@Retention(RetentionPolicy.RUNTIME)
@Transactional
public @interface Writing {
    @AliasFor(annotation = Transactional.class, attribute = "readOnly")
    boolean onlyReads() default false;
}
