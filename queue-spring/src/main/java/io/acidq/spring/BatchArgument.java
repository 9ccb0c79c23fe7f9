package io.acidq.spring;

import io.acidq.Delivery;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Resolves the lists of a batch listener: of payloads, deliveries or messages.
 *
 * @param check validates each payload
 */
record BatchArgument(PayloadCheck check) implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == List.class;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        List<Received> messages = ReceivedBatch.of(message).messages();
        Class<?> element =
                ResolvableType.forMethodParameter(parameter).getGeneric(0).toClass();
        if (element == Delivery.class) {
            return messages.stream().map(Received::delivery).toList();
        }
        messages.forEach(each -> check.check(parameter, each));
        return element == Message.class
                ? messages
                : messages.stream().map(Received::payload).toList();
    }
}
