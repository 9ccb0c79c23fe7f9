package io.acidq.spring.publish;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.expression.AttributeExpression;
import io.acidq.spring.expression.ExpressionVariables;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.EvaluationContext;

/**
 * One parsed {@link io.acidq.spring.Publish} or {@link io.acidq.spring.PublishedTo}: makes the messages that the annotation stands for.
 * Immutable.
 */
final class PublishOperation {

    private final String where;
    private final String queue;
    private final String transactionManager;
    private final @Nullable AttributeExpression condition;
    private final @Nullable AttributeExpression unless;
    private final @Nullable AttributeExpression payload;
    private final @Nullable AttributeExpression key;
    private final @Nullable AttributeExpression orderingKey;
    private final @Nullable Delay delay;
    private final @Nullable AttributeExpression at;
    private final Map<String, AttributeExpression> headers;

    /**
     * Parses an annotation.
     *
     * @param where     the annotation and its place, for error messages
     * @param variables the variables of its expressions, without {@code #payload}
     */
    PublishOperation(
            String where, MergedAnnotation<?> written, AnnotationAttributes attributes, ExpressionVariables variables) {
        this.where = where;
        ExpressionVariables withPayload = variables.with("payload");
        try {
            this.queue = QueueNames.check(attributes.resolve("queue", written.getString("queue")));
            this.transactionManager = attributes.resolve("transactionManager", written.getString("transactionManager"));
            this.condition = expression("condition", written, variables);
            this.unless = expression("unless", written, withPayload);
            this.payload = expression("payload", written, variables);
            this.delay = Delay.parse(attributes.resolve("delay", written.getString("delay")), withPayload);
            this.at = expression("at", written, withPayload);
            if (delay != null && delay.fixed() != null && at != null) {
                throw new QueueMisuseException(
                        "delay and at are both given, and a message is due once: remove one of them");
            }
            this.key = expression("key", written, withPayload);
            this.orderingKey = expression("orderingKey", written, withPayload);
            this.headers = headers(written.getStringArray("headers"), attributes, withPayload);
        } catch (QueueMisuseException | MessageRejectedException e) {
            throw new QueueMisuseException(where + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable AttributeExpression expression(
            String attribute, MergedAnnotation<?> written, ExpressionVariables variables) {
        return AttributeExpression.parse(attribute, written.getString(attribute), variables);
    }

    private static Map<String, AttributeExpression> headers(
            String[] written, AnnotationAttributes attributes, ExpressionVariables variables) {
        Map<String, AttributeExpression> headers = new LinkedHashMap<>();
        for (String header : written) {
            int is = header.indexOf('=');
            String name = is < 0 ? "" : attributes.resolve("headers", header.substring(0, is));
            AttributeExpression value = name.isEmpty()
                    ? null
                    : AttributeExpression.parse("headers " + name, header.substring(is + 1), variables);
            if (value == null) {
                throw new QueueMisuseException(
                        "the header '" + header + "' is no name=expression: write for example \"tenant=#tenant\"");
            }
            if (headers.put(name, value) != null) {
                throw new QueueMisuseException("the header '" + name + "' is given twice: remove one of them");
            }
        }
        return headers;
    }

    String queue() {
        return queue;
    }

    String transactionManager() {
        return transactionManager;
    }

    /** Fails when the transaction manager that the annotation names leads to no queue. */
    void requireQueue(PublishTargetResolver targets) {
        try {
            if (!transactionManager.isEmpty()) {
                targets.resolve(transactionManager);
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
     * @param published the payload where the annotation names none
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
        for (Object one : PayloadConverter.toPayloads(whole)) {
            context.setVariable("payload", one);
            if (unless == null || !unless.isTrue(context)) {
                messages.add(new NewMessage(one, options(context)));
            }
        }
        return messages;
    }

    private EnqueueOptions options(EvaluationContext context) {
        EnqueueOptions options = EnqueueOptions.options();
        if (key != null) {
            options = options.key(key.text(context));
        }
        if (orderingKey != null) {
            options = options.orderingKey(orderingKey.text(context));
        }
        if (delay != null) {
            options = delay.addTo(options, context);
        }
        Instant due = at == null ? null : instant(at, context);
        options = due == null ? options : options.at(due);
        for (Map.Entry<String, AttributeExpression> header : headers.entrySet()) {
            Object value = header.getValue().value(context);
            options = value == null ? options : options.header(header.getKey(), value.toString());
        }
        return options;
    }

    private static @Nullable Instant instant(AttributeExpression at, EvaluationContext context) {
        Object value = at.value(context);
        if (value == null || value instanceof Instant) {
            return (Instant) value;
        }
        if (value instanceof OffsetDateTime date) {
            return date.toInstant();
        }
        if (value instanceof ZonedDateTime date) {
            return date.toInstant();
        }
        throw new MessageRejectedException(
                at + " evaluates to a " + value.getClass().getName()
                        + ": give an Instant, OffsetDateTime or ZonedDateTime, which say the zone");
    }

    /** For error messages. */
    @Override
    public String toString() {
        return where + " (queue '" + queue + "')";
    }
}
