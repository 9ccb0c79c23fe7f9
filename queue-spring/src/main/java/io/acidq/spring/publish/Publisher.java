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

/** Enqueues the messages of publish operations, each in the database of its transaction manager. Thread-safe. */
final class Publisher {

    private final PublishTargetResolver targets;

    Publisher(PublishTargetResolver targets) {
        this.targets = targets;
    }

    /**
     * Checks that each of the operations can publish in the current transaction.
     *
     * @param consequence what was not done, for the error message
     */
    void requireTransaction(List<PublishOperation> operations, String consequence) {
        for (PublishOperation operation : operations) {
            Transactions transactions =
                    targets.resolve(operation.transactionManager()).transactions();
            if (transactions.current() == null) {
                throw new QueueMisuseException(operation
                        + " needs a transaction of the queue's database, so that the message commits with your"
                        + " data: add @Transactional (with the transaction manager of that database). "
                        + consequence);
            }
            if (transactions.isReadOnly()) {
                throw new QueueMisuseException(
                        operation + " is not possible in a read-only transaction: remove readOnly = true from the"
                                + " @Transactional around it. " + consequence);
            }
        }
    }

    /**
     * Publishes. The messages of all operations are created before the first one is enqueued.
     *
     * @param contexts creates a context for each operation, so that no operation can use the {@code #payload} of another
     */
    void publish(List<PublishOperation> operations, Supplier<EvaluationContext> contexts, @Nullable Object published) {
        Map<PublishOperation, List<NewMessage>> messages = new LinkedHashMap<>();
        operations.forEach(operation -> messages.put(operation, operation.messages(contexts.get(), published)));
        messages.forEach((operation, all) -> {
            if (!all.isEmpty()) {
                operation.send(targets.resolve(operation.transactionManager()).queue(), all);
            }
        });
    }
}
