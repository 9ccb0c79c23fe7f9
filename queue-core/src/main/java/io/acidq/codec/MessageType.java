package io.acidq.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The logical name that payloads of this type are stored under. Without it the name is the simple name of the class, so a class may
 * move between packages; give a name to be free to rename it too.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MessageType {

    /** The name: 1 to 100 characters. */
    String value();
}
