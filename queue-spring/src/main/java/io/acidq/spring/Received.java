package io.acidq.spring;

import io.acidq.Delivery;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A message on its way into a listener method.
 *
 * @param payload  the decoded payload
 * @param delivery everything else
 */
record Received(Object payload, Delivery delivery) implements Message<Object> {

    static Received of(Message<?> message) {
        return (Received) message;
    }

    @Override
    public Object getPayload() {
        return payload;
    }

    @Override
    public MessageHeaders getHeaders() {
        return new MessageHeaders(Map.copyOf(delivery.headers()));
    }

    /** Without the payload: exceptions of Spring's say which message they are about. */
    @Override
    public String toString() {
        return "message " + delivery.id();
    }
}
