package io.acidq.spring;

import java.util.List;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * Messages on their way into a batch listener.
 *
 * @param messages in the order in which their outcomes are expected
 */
record ReceivedBatch(List<Received> messages) implements Message<List<Received>> {

    static ReceivedBatch of(Message<?> message) {
        return (ReceivedBatch) message;
    }

    @Override
    public List<Received> getPayload() {
        return messages;
    }

    /** None: each message has its own. */
    @Override
    public MessageHeaders getHeaders() {
        return new MessageHeaders(null);
    }
}
