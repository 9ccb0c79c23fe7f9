package io.acidq.benchmarks.candidate.namastack;

import io.acidq.benchmarks.candidate.Work;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import org.jspecify.annotations.Nullable;

/** Is given each letter, outside of any transaction. */
final class Handler implements OutboxTypedHandler<Handler.PostedLetter> {

    private volatile @Nullable Work work;

    /** The payload of a record. */
    record PostedLetter(String text) {}

    void use(Work value) {
        work = value;
    }

    @Override
    public void handle(PostedLetter letter, OutboxRecordMetadata metadata) {
        Work running = work;
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
