package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;

/** What the {@link Publish} of one method says, parsed. Immutable. */
final class PublishRule {

    private final Method method;
    private final String queue;
    private final @Nullable Expression key;
    private final @Nullable Expression orderingKey;
    private final @Nullable Delay delay;
    private final @Nullable Expression at;
    private final @Nullable Expression condition;
    private final @Nullable Expression payload;

    PublishRule(Method method, Publish publish, PublishSyntax syntax) {
        this.method = method;
        this.queue = QueueNames.check(syntax.text(publish.queue()));
        this.key = syntax.expression(publish.key());
        this.orderingKey = syntax.expression(publish.orderingKey());
        this.delay = Delay.parse(syntax, publish.delay());
        this.at = syntax.expression(publish.at());
        if (delay != null && delay.fixed() != null && at != null) {
            throw new QueueMisuseException(
                    "delay and at are both given, and a message is due once: remove one of them");
        }
        this.condition = syntax.expression(publish.condition());
        this.payload = syntax.expression(publish.payload());
    }

    Method method() {
        return method;
    }

    String queue() {
        return queue;
    }

    /** The method in words for messages. */
    String where() {
        return MethodText.of(method);
    }

    /** The payload to publish after the body has returned this result, if any. */
    Optional<Object> payload(EvaluationContext context, @Nullable Object result) {
        if (result == null && method.getReturnType() != void.class) {
            return Optional.empty();
        }
        if (condition != null && !Boolean.TRUE.equals(value(condition, context, Boolean.class))) {
            return Optional.empty();
        }
        return Optional.ofNullable(payload == null ? result : value(payload, context, Object.class));
    }

    EnqueueOptions options(EvaluationContext context) {
        EnqueueOptions options = EnqueueOptions.options();
        if (key != null) {
            options = options.key(required("key", key, context));
        }
        if (orderingKey != null) {
            options = options.orderingKey(required("orderingKey", orderingKey, context));
        }
        if (delay != null) {
            options = delay.addTo(options, expression -> value(expression, context, Object.class));
        }
        Instant due = at == null ? null : instant(value(at, context, Object.class));
        return due == null ? options : options.at(due);
    }

    private String required(String what, Expression expression, EvaluationContext context) {
        Object value = value(expression, context, Object.class);
        if (value == null) {
            throw new MessageRejectedException("the " + what + " '" + expression.getExpressionString()
                    + "' of @Publish on " + where() + " is null: a forgotten " + what
                    + " would switch off what it is for; give it a value, or leave it out");
        }
        return value.toString();
    }

    private @Nullable Instant instant(@Nullable Object value) {
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
                "at of @Publish on " + where() + " is a " + value.getClass().getName()
                        + ": give an Instant, OffsetDateTime or ZonedDateTime, which say the zone");
    }

    private <T> @Nullable T value(Expression expression, EvaluationContext context, Class<T> type) {
        try {
            return expression.getValue(context, type);
        } catch (EvaluationException e) {
            throw new MessageRejectedException(
                    "'" + expression.getExpressionString() + "' of @Publish on " + where() + " does not evaluate: "
                            + e.getMessage(),
                    e);
        }
    }
}
