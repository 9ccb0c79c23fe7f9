package io.acidq.spring.publish;

import io.acidq.EnqueueOptions;
import io.acidq.InputChecks;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.expression.AttributeExpression;
import io.acidq.spring.expression.ExpressionVariables;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * A parsed {@link io.acidq.spring.Publish} or {@link io.acidq.spring.PublishedTo} annotation, which creates the messages to enqueue. Immutable.
 */
final class PublishOperation {

    private final String where;
    private final String destination;
    private final boolean isTopic;
    private final String transactionManager;
    private final @Nullable AttributeExpression condition;
    private final @Nullable AttributeExpression unless;
    private final @Nullable AttributeExpression payload;
    private final @Nullable AttributeExpression key;
    private final @Nullable AttributeExpression orderingKey;
    private final @Nullable DurationAttribute delay;
    private final @Nullable DurationAttribute expiresAfter;
    private final @Nullable AttributeExpression at;
    private final @Nullable PriorityOfMessage priority;
    private final Map<String, AttributeExpression> headers;

    /** The options that no expression changes. */
    private final EnqueueOptions defaults;

    /**
     * Parses an annotation.
     *
     * @param where     the annotation and the place of it, for error messages
     * @param variables the variables of its expressions, without {@code #payload}
     */
    PublishOperation(
            String where, MergedAnnotation<?> written, AnnotationAttributes attributes, ExpressionVariables variables) {
        this.where = where;
        ExpressionVariables withPayload = variables.with("payload");
        try {
            String queueText = attributes.resolve("queue", written.getString("queue"));
            String topicText = attributes.resolve("topic", written.getString("topic"));
            if (queueText.isEmpty() == topicText.isEmpty()) {
                throw new QueueMisuseException(
                        topicText.isEmpty()
                                ? "neither queue nor topic is set: name the queue or the topic that gets the message"
                                : "queue and topic are both set, but a message goes to one of them: remove one, or use two"
                                        + " annotations");
            }
            this.isTopic = !topicText.isEmpty();
            this.destination = isTopic ? InputChecks.checkTopic(topicText) : InputChecks.checkQueue(queueText);
            this.transactionManager = attributes.resolve("transactionManager", written.getString("transactionManager"));
            this.condition = expression("condition", written, variables);
            this.unless = expression("unless", written, withPayload);
            this.payload = expression("payload", written, variables);
            boolean hasEvent = written.getType() == PublishedTo.class; // a bare name is a property of the event
            this.delay = DurationAttribute.parse(
                    "delay",
                    attributes.resolve("delay", written.getString("delay")),
                    withPayload,
                    hasEvent,
                    EnqueueOptions::delay);
            this.expiresAfter = DurationAttribute.parse(
                    "expiresAfter",
                    attributes.resolve("expiresAfter", written.getString("expiresAfter")),
                    withPayload,
                    hasEvent,
                    EnqueueOptions::expiresAfter);
            this.at = expression("at", written, withPayload);
            if (delay != null && delay.fixed() != null && at != null) {
                throw new QueueMisuseException(
                        "delay and at are both set, but a message has one due time: remove one of them");
            }
            this.key = expression("key", written, withPayload);
            this.orderingKey = expression("orderingKey", written, withPayload);
            this.priority =
                    PriorityOfMessage.parse(attributes.resolve("priority", written.getString("priority")), withPayload);
            if (priority != null && orderingKey != null && priority.fixed() != Priority.NORMAL) {
                throw new QueueMisuseException(
                        "priority and orderingKey are both set, but the messages of an ordering key run"
                                + " in order, so none overtakes another: remove one of them");
            }
            Duration receipt = retention("receipt", attributes.resolve("receipt", written.getString("receipt")));
            Duration result = retention("result", attributes.resolve("result", written.getString("result")));
            if (receipt != null && result != null) {
                throw new QueueMisuseException(
                        "receipt and result are both set, and result means a receipt too: remove receipt");
            }
            this.defaults = receipt != null
                    ? EnqueueOptions.options().receipt(receipt)
                    : result != null ? EnqueueOptions.options().result(result) : EnqueueOptions.options();
            this.headers = headers(written.getStringArray("headers"), attributes, withPayload);
        } catch (QueueMisuseException | MessageRejectedException e) {
            throw new QueueMisuseException(where + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable AttributeExpression expression(
            String attribute, MergedAnnotation<?> written, ExpressionVariables variables) {
        return AttributeExpression.parse(attribute, written.getString(attribute), variables);
    }

    private static @Nullable Duration retention(String attribute, String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (!DurationAttribute.DURATION.matcher(text).matches()) {
            throw new QueueMisuseException(
                    attribute + " '" + text + "' is no duration: write 500ms, 30s, 5m, 3h, 2d or PT1H");
        }
        return DurationAttribute.duration(attribute, text);
    }

    private static Map<String, AttributeExpression> headers(
            String[] written, AnnotationAttributes attributes, ExpressionVariables variables) {
        Map<String, AttributeExpression> headers = new LinkedHashMap<>();
        for (String header : written) {
            int equals = header.indexOf('=');
            String name = equals < 0 ? "" : attributes.resolve("headers", header.substring(0, equals));
            AttributeExpression value = name.isEmpty()
                    ? null
                    : AttributeExpression.parse("headers " + name, header.substring(equals + 1), variables);
            if (value == null) {
                throw new QueueMisuseException("the header '" + header
                        + "' is not of the form name=expression: write for example \"tenant=#tenant\"");
            }
            if (headers.put(name, value) != null) {
                throw new QueueMisuseException("the header '" + name + "' is set twice: remove one of them");
            }
        }
        return headers;
    }

    /** Sends the messages to the queue or the topic of the annotation. */
    void send(MessageQueue queue, List<NewMessage> messages) {
        if (!isTopic) {
            queue.enqueueAll(destination, messages);
            return;
        }
        for (NewMessage message : messages) {
            queue.publish(destination, message.payload(), message.options());
        }
    }

    String transactionManager() {
        return transactionManager;
    }

    /** Checks that the transaction manager which the annotation names leads to a queue. */
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
     * Returns the messages to publish.
     *
     * @param published the payload if the annotation does not name one
     */
    List<NewMessage> messages(EvaluationContext context, @Nullable Object published) {
        try {
            return condition == null || condition.isTrue(context) ? toMessages(context, published) : List.of();
        } catch (MessageRejectedException e) {
            throw new MessageRejectedException(where + ": " + e.getMessage(), e);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(where + ": " + e.getMessage(), e);
        }
    }

    private List<NewMessage> toMessages(EvaluationContext context, @Nullable Object published) {
        Object value = payload == null ? published : payload.value(context);
        List<NewMessage> messages = new ArrayList<>();
        for (Object each : PayloadConverter.toPayloads(value)) {
            context.setVariable("payload", each);
            if (unless == null || !unless.isTrue(context)) {
                messages.add(new NewMessage(each, options(context)));
            }
        }
        return messages;
    }

    private EnqueueOptions options(EvaluationContext context) {
        EnqueueOptions options = defaults;
        if (key != null) {
            options = options.key(key.text(context));
        }
        if (orderingKey != null) {
            options = options.orderingKey(orderingKey.text(context));
        }
        if (delay != null) {
            options = delay.addTo(options, context);
        }
        if (priority != null) {
            options = priority.addTo(options, context);
        }
        if (expiresAfter != null) {
            options = expiresAfter.addTo(options, context);
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
                        + ": return an Instant, OffsetDateTime or ZonedDateTime, which contain the zone");
    }

    /** Returns the annotation, its place and its queue or topic, for error messages. */
    @Override
    public String toString() {
        return where + (isTopic ? " (topic '" : " (queue '") + destination + "')";
    }

    /** The priority of an annotation: a fixed one, or an expression. Exactly one of the two is set. */
    private record PriorityOfMessage(
            @Nullable Priority fixed, @Nullable AttributeExpression expression) {

        /** Parses the attribute, whose placeholders are resolved. Returns null if it is empty. */
        static @Nullable PriorityOfMessage parse(String text, ExpressionVariables variables) {
            if (text.isEmpty()) {
                return null;
            }
            Priority fixed = named(text);
            if (fixed != null) {
                return new PriorityOfMessage(fixed, null);
            }
            if (text.chars().allMatch(Character::isLetter)) {
                throw new QueueMisuseException(
                        "the priority '" + text + "' is unknown: write high, normal or low, or an expression");
            }
            return new PriorityOfMessage(null, AttributeExpression.parse("priority", text, variables));
        }

        private static @Nullable Priority named(String text) {
            for (Priority priority : Priority.values()) {
                if (priority.name().equalsIgnoreCase(text)) {
                    return priority;
                }
            }
            return null;
        }

        EnqueueOptions addTo(EnqueueOptions options, EvaluationContext context) {
            Priority value = expression == null ? fixed : evaluated(expression, context);
            return value == null ? options : options.priority(value);
        }

        private static @Nullable Priority evaluated(AttributeExpression expression, EvaluationContext context) {
            Object value = expression.value(context);
            if (value == null || value instanceof Priority) {
                return (Priority) value;
            }
            Priority named = named(value.toString());
            if (named == null) {
                throw new MessageRejectedException(
                        expression + " evaluates to '" + value + "': return a Priority, or high, normal or low");
            }
            return named;
        }
    }

    /** Sets a duration in options. */
    @FunctionalInterface
    private interface DurationOption {
        EnqueueOptions set(EnqueueOptions options, Duration value);
    }

    /**
     * A duration of an annotation: a fixed one, such as {@code 30s} or {@code PT1H}, or an expression. Exactly one of the two is set.
     *
     * @param option sets it in the options, which check it
     */
    private record DurationAttribute(
            String name, @Nullable Duration fixed, @Nullable AttributeExpression expression, DurationOption option) {

        /** A number without a unit is refused, because its unit would be a guess. */
        private static final Pattern DURATION = Pattern.compile("[+-]?\\d+[a-zA-Z]{1,2}|[+-]?[pP][0-9tT].*");

        /**
         * Parses the attribute, whose placeholders are resolved. Returns null if it is empty.
         *
         * @param mayBeProperty whether a bare name can be an expression
         */
        static @Nullable DurationAttribute parse(
                String name, String text, ExpressionVariables variables, boolean mayBeProperty, DurationOption option) {
            if (text.isEmpty()) {
                return null;
            }
            if (DURATION.matcher(text).matches()) {
                return fixed(name, duration(name, text), option);
            }
            AttributeExpression expression = AttributeExpression.parse(name, text, variables);
            if (expression != null && expression.isLiteral()) {
                return fixed(name, evaluated(name, expression, new StandardEvaluationContext()), option);
            }
            if (!mayBeProperty && text.chars().allMatch(Character::isLetter)) {
                throw new QueueMisuseException("the " + name + " '" + text
                        + "' is no duration: write 500ms, 30s, 5m, 3h, 2d or PT1H, or an expression");
            }
            return new DurationAttribute(name, null, expression, option);
        }

        /** Refuses at startup a duration that no enqueue would accept. */
        private static @Nullable DurationAttribute fixed(String name, @Nullable Duration value, DurationOption option) {
            if (value == null) {
                return null;
            }
            option.set(EnqueueOptions.options(), value);
            return new DurationAttribute(name, value, null, option);
        }

        EnqueueOptions addTo(EnqueueOptions options, EvaluationContext context) {
            Duration value = expression == null ? fixed : evaluated(name, expression, context);
            return value == null ? options : option.set(options, value);
        }

        private static @Nullable Duration evaluated(
                String name, AttributeExpression expression, EvaluationContext context) {
            Object value = expression.value(context);
            if (value == null || value instanceof Duration) {
                return (Duration) value;
            }
            if (value instanceof CharSequence text && DURATION.matcher(text).matches()) {
                return duration(name, text.toString());
            }
            throw new MessageRejectedException(
                    expression + " evaluates to '" + value + "': return a Duration or a text such as 30s or PT1H");
        }

        private static Duration duration(String name, String text) {
            try {
                return DurationFormatterUtils.detectAndParse(text);
            } catch (IllegalArgumentException e) {
                throw new QueueMisuseException(
                        "the " + name + " '" + text + "' is no duration: write 500ms, 30s, 5m, 3h, 2d or PT1H", e);
            }
        }
    }
}
