package io.acidq.benchmarks.candidate.namastack;

import io.acidq.benchmarks.candidate.HandlerWork;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import org.jspecify.annotations.Nullable;

/** Is given each letter, outside of any transaction. */
final class Handler implements OutboxTypedHandler<Handler.PostedMessage> {

    private volatile @Nullable HandlerWork handlerWork;

    /** The payload of a record. */
    record PostedMessage(String text) {}

    void use(HandlerWork value) {
        handlerWork = value;
    }

    @Override
    public void handle(PostedMessage letter, OutboxRecordMetadata metadata) {
        HandlerWork running = handlerWork;
        if (running == null) {
            throw new IllegalStateException("no workers have been started");
        }
        try {
            running.run(letter.text());
        } catch (Exception e) {
            throw new IllegalStateException("the handler has failed", e);
        }
    }
}
