package io.acidq.spring;

import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Resolves {@code Message<T>}.
 *
 * @param check validates its payload
 */
record MessageArgument(PayloadCheck check) implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Message.class;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        check.check(parameter, message);
        return message;
    }
}
