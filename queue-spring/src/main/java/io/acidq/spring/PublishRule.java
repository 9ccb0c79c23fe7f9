package io.acidq.spring;

import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.EvaluationContext;

/** What one {@link Publish} or {@link PublishedTo} says, parsed. Immutable. */
final class PublishRule {

    private final String where;
    private final String queue;
    private final String transactionManager;
    private final @Nullable AttributeExpression condition;
    private final @Nullable AttributeExpression unless;
    private final @Nullable AttributeExpression payload;
    private final OptionRule options;

    /**
     * Parses an annotation.
     *
     * @param where     the annotation and its place in words, for messages
     * @param variables those of its expressions, without {@code #payload}
     */
    PublishRule(String where, MergedAnnotation<?> written, Placeholders placeholders, ExpressionVariables variables) {
        this.where = where;
        ExpressionVariables withPayload = variables.with("payload");
        try {
            this.queue = QueueNames.check(placeholders.resolve("queue", written.getString("queue")));
            this.transactionManager =
                    placeholders.resolve("transactionManager", written.getString("transactionManager"));
            this.condition = AttributeExpression.parse("condition", written.getString("condition"), variables);
            this.unless = AttributeExpression.parse("unless", written.getString("unless"), withPayload);
            this.payload = AttributeExpression.parse("payload", written.getString("payload"), variables);
            this.options = OptionRule.of(written, placeholders, withPayload);
        } catch (QueueMisuseException | MessageRejectedException e) {
            throw new QueueMisuseException(where + ": " + e.getMessage(), e);
        }
    }

    String queue() {
        return queue;
    }

    String transactionManager() {
        return transactionManager;
    }

    /** Fails when the transaction manager that it names leads to no queue. */
    void requireQueue(QueueFinder queues) {
        try {
            if (!transactionManager.isEmpty()) {
                queues.find(transactionManager);
            }
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(where + ": " + e.getMessage(), e);
        }
    }

    boolean hasPayload() {
        return payload != null;
    }

    /**
     * The messages to publish.
     *
     * @param published what is published where the annotation names no payload
     */
    List<NewMessage> messages(EvaluationContext context, @Nullable Object published) {
        try {
            return condition == null || condition.isTrue(context) ? all(context, published) : List.of();
        } catch (MessageRejectedException e) {
            throw new MessageRejectedException(where + ": " + e.getMessage(), e);
        }
    }

    private List<NewMessage> all(EvaluationContext context, @Nullable Object published) {
        Object whole = payload == null ? published : payload.value(context);
        List<NewMessage> messages = new ArrayList<>();
        for (Object one : Payloads.of(whole)) {
            context.setVariable("payload", one);
            if (unless == null || !unless.isTrue(context)) {
                messages.add(new NewMessage(one, options.evaluate(context)));
            }
        }
        return messages;
    }

    /** For messages to people. */
    @Override
    public String toString() {
        return where + " (queue '" + queue + "')";
    }
}
