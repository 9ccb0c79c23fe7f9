package io.acidq.spring.publish;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.spring.expression.AttributeExpression;
import io.acidq.spring.expression.ExpressionVariables;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** A delay as an annotation gives it: a fixed one ({@code 30s}, {@code PT1H}) or an expression of one. Exactly one of the two is set. */
record Delay(@Nullable Duration fixed, @Nullable AttributeExpression expression) {

    /** A number alone is refused: its unit would be a guess. */
    private static final Pattern DURATION = Pattern.compile("[+-]?\\d+[a-zA-Z]{1,2}|[+-]?[pP][0-9tT].*");

    /** A text whose placeholders are resolved; null when it is empty. */
    static @Nullable Delay parse(String text, ExpressionVariables variables) {
        if (text.isEmpty()) {
            return null;
        }
        if (DURATION.matcher(text).matches()) {
            return fixed(duration(text));
        }
        AttributeExpression expression = AttributeExpression.parse("delay", text, variables);
        return expression != null && expression.isLiteral()
                ? fixed(evaluated(expression, new StandardEvaluationContext()))
                : new Delay(null, expression);
    }

    /** Refuses at once a delay with which no message could be enqueued. */
    private static @Nullable Delay fixed(@Nullable Duration value) {
        if (value == null) {
            return null;
        }
        EnqueueOptions.options().delay(value);
        return new Delay(value, null);
    }

    EnqueueOptions addTo(EnqueueOptions options, EvaluationContext context) {
        Duration value = expression == null ? fixed : evaluated(expression, context);
        return value == null ? options : options.delay(value);
    }

    private static @Nullable Duration evaluated(AttributeExpression expression, EvaluationContext context) {
        Object value = expression.value(context);
        if (value == null || value instanceof Duration) {
            return (Duration) value;
        }
        if (value instanceof CharSequence text && DURATION.matcher(text).matches()) {
            return duration(text.toString());
        }
        throw new MessageRejectedException("the " + expression + " evaluates to '" + value
                + "', expected a Duration or a text such as 30s or PT1H");
    }

    private static Duration duration(String text) {
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(
                    "the delay '" + text + "' is no duration: write 500ms, 30s, 5m, 3h, 2d or PT1H", e);
        }
    }
}
