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
import org.springframework.expression.Expression;

/** How an annotation has its messages enqueued, parsed. Immutable. */
record OptionRule(
        @Nullable Expression key,
        @Nullable Expression orderingKey,
        @Nullable Delay delay,
        @Nullable Expression at,
        Map<String, Expression> headers) {

    static OptionRule of(MergedAnnotation<?> written, PublishSyntax syntax) {
        Delay delay = Delay.parse(syntax, written.getString("delay"));
        Expression at = syntax.expression(written.getString("at"));
        if (delay != null && delay.fixed() != null && at != null) {
            throw new QueueMisuseException(
                    "delay and at are both given, and a message is due once: remove one of them");
        }
        return new OptionRule(
                syntax.expression(written.getString("key")),
                syntax.expression(written.getString("orderingKey")),
                delay,
                at,
                headers(written.getStringArray("headers"), syntax));
    }

    private static Map<String, Expression> headers(String[] written, PublishSyntax syntax) {
        Map<String, Expression> headers = new LinkedHashMap<>();
        for (String header : written) {
            int is = header.indexOf('=');
            String name = is < 0 ? "" : syntax.text("headers", header.substring(0, is));
            Expression value = syntax.expression(header.substring(is + 1));
            if (name.isEmpty() || value == null) {
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
            options = options.key(required("key", key, context));
        }
        if (orderingKey != null) {
            options = options.orderingKey(required("orderingKey", orderingKey, context));
        }
        if (delay != null) {
            options = delay.addTo(options, expression -> PublishSyntax.value(expression, context, Object.class));
        }
        Instant due = at == null ? null : instant(PublishSyntax.value(at, context, Object.class));
        options = due == null ? options : options.at(due);
        for (Map.Entry<String, Expression> header : headers.entrySet()) {
            Object value = PublishSyntax.value(header.getValue(), context, Object.class);
            options = value == null ? options : options.header(header.getKey(), value.toString());
        }
        return options;
    }

    private static String required(String what, Expression expression, EvaluationContext context) {
        Object value = PublishSyntax.value(expression, context, Object.class);
        if (value == null) {
            throw new MessageRejectedException("the " + what + " '" + expression.getExpressionString()
                    + "' is null: a forgotten " + what
                    + " would switch off what it is for; give it a value, or leave it out");
        }
        return value.toString();
    }

    private static @Nullable Instant instant(@Nullable Object value) {
        if (value == null || value instanceof Instant) {
            return (Instant) value;
        }
        if (value instanceof OffsetDateTime date) {
            return date.toInstant();
        }
        if (value instanceof ZonedDateTime date) {
            return date.toInstant();
        }
        throw new MessageRejectedException("at is a " + value.getClass().getName()
                + ": give an Instant, OffsetDateTime or ZonedDateTime, which say the zone");
    }
}
