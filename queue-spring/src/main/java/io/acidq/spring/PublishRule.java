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
import org.springframework.expression.Expression;

/** What one {@link Publish} or {@link PublishedTo} says, parsed. Immutable. */
final class PublishRule {

    private final String where;
    private final String queue;
    private final String transactionManager;
    private final @Nullable Expression condition;
    private final @Nullable Expression unless;
    private final @Nullable Expression payload;
    private final OptionRule options;

    /**
     * Parses an annotation.
     *
     * @param where the annotation and its place in words, for messages
     */
    PublishRule(String where, MergedAnnotation<?> written, PublishSyntax syntax) {
        this.where = where;
        try {
            this.queue = QueueNames.check(syntax.text("queue", written.getString("queue")));
            this.transactionManager = syntax.text("transactionManager", written.getString("transactionManager"));
            this.condition = syntax.expression(written.getString("condition"));
            this.unless = syntax.expression(written.getString("unless"));
            this.payload = syntax.expression(written.getString("payload"));
            this.options = OptionRule.of(written, syntax);
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
            return condition == null || isTrue(condition, context) ? all(context, published) : List.of();
        } catch (MessageRejectedException e) {
            throw new MessageRejectedException(where + ": " + e.getMessage(), e);
        }
    }

    private List<NewMessage> all(EvaluationContext context, @Nullable Object published) {
        Object whole = payload == null ? published : PublishSyntax.value(payload, context, Object.class);
        List<NewMessage> messages = new ArrayList<>();
        for (Object one : Payloads.of(whole)) {
            context.setVariable("payload", one);
            if (unless == null || !isTrue(unless, context)) {
                messages.add(new NewMessage(one, options.evaluate(context)));
            }
        }
        return messages;
    }

    private static boolean isTrue(Expression expression, EvaluationContext context) {
        return Boolean.TRUE.equals(PublishSyntax.value(expression, context, Boolean.class));
    }

    /** For messages to people. */
    @Override
    public String toString() {
        return where + " (queue '" + queue + "')";
    }
}
