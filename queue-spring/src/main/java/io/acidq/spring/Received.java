package io.acidq.spring;

import io.acidq.Delivery;
import java.util.HashMap;
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
        return new Headers(delivery);
    }

    /** What Spring calls its id and its timestamp is the message's own, the same at each call; headers of these names give way. */
    private static final class Headers extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        Headers(Delivery delivery) {
            super(
                    new HashMap<>(delivery.headers()),
                    delivery.id().uid(),
                    delivery.enqueuedAt().toEpochMilli());
        }
    }

    /** Without the payload: exceptions of Spring's say which message they are about. */
    @Override
    public String toString() {
        return "message " + delivery.id();
    }
}
