package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.EvaluationContext;

/** How an annotation has its messages enqueued, parsed. Immutable. */
record OptionRule(
        @Nullable AttributeExpression key,
        @Nullable AttributeExpression orderingKey,
        @Nullable Delay delay,
        @Nullable AttributeExpression at,
        Map<String, AttributeExpression> headers) {

    static OptionRule of(MergedAnnotation<?> written, Placeholders placeholders, ExpressionVariables variables) {
        Delay delay = Delay.parse(placeholders.resolve("delay", written.getString("delay")), variables);
        AttributeExpression at = AttributeExpression.parse("at", written.getString("at"), variables);
        if (delay != null && delay.fixed() != null && at != null) {
            throw new QueueMisuseException(
                    "delay and at are both given, and a message is due once: remove one of them");
        }
        return new OptionRule(
                AttributeExpression.parse("key", written.getString("key"), variables),
                AttributeExpression.parse("orderingKey", written.getString("orderingKey"), variables),
                delay,
                at,
                headers(written.getStringArray("headers"), placeholders, variables));
    }

    private static Map<String, AttributeExpression> headers(
            String[] written, Placeholders placeholders, ExpressionVariables variables) {
        Map<String, AttributeExpression> headers = new LinkedHashMap<>();
        for (String header : written) {
            int is = header.indexOf('=');
            String name = is < 0 ? "" : placeholders.resolve("headers", header.substring(0, is));
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

    EnqueueOptions evaluate(EvaluationContext context) {
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
}
