package io.acidq.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The logical name under which payloads of this type are stored. Without this annotation it is the simple name of the class, so that a class can move
 * to another package; with it, the class can be renamed too.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MessageType {

    /** The name: 1 to 100 characters. */
    String value();
}
