package io.acidq.spring.listener;

import io.acidq.Delivery;
import java.util.HashMap;
import java.util.List;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A message as a listener method receives it.
 *
 * @param payload  the decoded payload
 * @param delivery the rest of the message
 */
record ReceivedMessage(Object payload, Delivery delivery) implements Message<Object> {

    @Override
    public Object getPayload() {
        return payload;
    }

    @Override
    public MessageHeaders getHeaders() {
        return new ReceivedHeaders(delivery);
    }

    /** Headers with the id and the time of the message as Spring's id and timestamp, so that they are the same at each attempt. */
    private static final class ReceivedHeaders extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        ReceivedHeaders(Delivery delivery) {
            super(
                    new HashMap<>(delivery.headers()),
                    delivery.id().uid(),
                    delivery.enqueuedAt().toEpochMilli());
        }
    }

    /** Omits the payload, because Spring's exceptions contain this text. */
    @Override
    public String toString() {
        return "message " + delivery.id();
    }

    /**
     * Messages as a batch listener receives them.
     *
     * @param messages in the order in which their outcomes are expected
     */
    record Batch(List<ReceivedMessage> messages) implements Message<List<ReceivedMessage>> {

        @Override
        public List<ReceivedMessage> getPayload() {
            return messages;
        }

        /** Returns no headers, because each message has its own. */
        @Override
        public MessageHeaders getHeaders() {
            return new MessageHeaders(null);
        }
    }
}
