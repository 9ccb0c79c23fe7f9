package io.acidq.spring.publish;

import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.store.Transactions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** Enqueues the messages of publish operations, each in the queue of its transaction manager. Thread-safe. */
final class Publisher {

    private final PublishTargetResolver targets;

    Publisher(PublishTargetResolver targets) {
        this.targets = targets;
    }

    /**
     * Fails when one of the operations cannot publish, before anything else is done.
     *
     * @param otherwise what has not been done, for the error message
     */
    void requireTransaction(List<PublishOperation> operations, String otherwise) {
        for (PublishOperation operation : operations) {
            Transactions transactions =
                    targets.resolve(operation.transactionManager()).transactions();
            if (transactions.current() == null) {
                throw new QueueMisuseException(operation
                        + " needs a transaction of the queue's database, so that the message commits with your"
                        + " data: add @Transactional (of the transaction manager of that database). "
                        + otherwise);
            }
            if (transactions.isReadOnly()) {
                throw new QueueMisuseException(
                        operation + " is not possible in a read-only transaction: remove readOnly = true from the"
                                + " @Transactional around it. " + otherwise);
            }
        }
    }

    /**
     * Publishes. Everything that an operation can refuse is refused before any message is enqueued.
     *
     * @param contexts makes a context for each operation, so that no operation sees the {@code #payload} of another
     */
    void publish(List<PublishOperation> operations, Supplier<EvaluationContext> contexts, @Nullable Object published) {
        Map<PublishOperation, List<NewMessage>> messages = new LinkedHashMap<>();
        operations.forEach(operation -> messages.put(operation, operation.messages(contexts.get(), published)));
        messages.forEach((operation, all) -> {
            if (!all.isEmpty()) {
                targets.resolve(operation.transactionManager()).queue().enqueueAll(operation.queue(), all);
            }
        });
    }
}
