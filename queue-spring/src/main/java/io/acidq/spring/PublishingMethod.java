package io.acidq.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method that publishes.
 *
 * @param method the one of the class that runs
 * @param rules  what is published; none when the method does not publish
 */
record PublishingMethod(Method method, List<PublishRule> rules) {

    boolean publishes() {
        return !rules.isEmpty();
    }

    /** Whether this result is what a method returns that has none to give. */
    boolean isNothing(@Nullable Object result) {
        return result == null && method.getReturnType() != void.class;
    }
}
