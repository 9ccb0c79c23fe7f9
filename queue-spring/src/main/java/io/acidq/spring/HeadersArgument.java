package io.acidq.spring;

import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Resolves {@code @Headers Map<String, String>}: the message's own headers and nothing else. */
final class HeadersArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(Headers.class);
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return Received.of(message).delivery().headers();
    }
}
