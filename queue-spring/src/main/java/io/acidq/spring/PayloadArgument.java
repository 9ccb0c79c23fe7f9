package io.acidq.spring;

import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Resolves the parameter that is left: the payload, which the codec has read as its class.
 *
 * @param check validates it
 */
record PayloadArgument(PayloadCheck check) implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return true;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        check.check(parameter, message);
        return message.getPayload();
    }
}
