package io.acidq.spring.listener;

import io.acidq.Delivery;
import java.util.HashMap;
import java.util.List;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A message on its way into a listener method.
 *
 * @param payload  the decoded payload
 * @param delivery everything else
 */
record ReceivedMessage(Object payload, Delivery delivery) implements Message<Object> {

    @Override
    public Object getPayload() {
        return payload;
    }

    @Override
    public MessageHeaders getHeaders() {
        return new Headers(delivery);
    }

    /** Spring's id and timestamp are the message's own, the same at each call; headers of these names give way. */
    private static final class Headers extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        Headers(Delivery delivery) {
            super(
                    new HashMap<>(delivery.headers()),
                    delivery.id().uid(),
                    delivery.enqueuedAt().toEpochMilli());
        }
    }

    /** Without the payload: Spring's exceptions show this text. */
    @Override
    public String toString() {
        return "message " + delivery.id();
    }

    /**
     * Messages on their way into a batch listener.
     *
     * @param messages in the order in which their outcomes are expected
     */
    record Batch(List<ReceivedMessage> messages) implements Message<List<ReceivedMessage>> {

        @Override
        public List<ReceivedMessage> getPayload() {
            return messages;
        }

        /** Empty: each message has its own. */
        @Override
        public MessageHeaders getHeaders() {
            return new MessageHeaders(null);
        }
    }
}
