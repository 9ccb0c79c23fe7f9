package io.acidq.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Methods in messages to people. */
final class MethodText {

    private MethodText() {}

    /** Such as {@code com.shop.OrderService.place(NewOrder)}. */
    static String of(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }
}
