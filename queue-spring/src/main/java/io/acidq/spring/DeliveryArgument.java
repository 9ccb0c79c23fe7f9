package io.acidq.spring;

import io.acidq.Delivery;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Resolves a parameter of type {@link Delivery}. */
final class DeliveryArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Delivery.class;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return Received.of(message).delivery();
    }
}
