package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** A delay as an annotation gives it: a fixed one ({@code 30s}, {@code PT1H}) or an expression of one. Exactly one of the two is set. */
record Delay(@Nullable Duration fixed, @Nullable Expression expression) {

    /** A number alone is no duration: nobody would know the unit. */
    private static final Pattern DURATION = Pattern.compile("[+-]?\\d+[a-zA-Z]{1,2}|[+-]?[pP][0-9tT].*");

    static @Nullable Delay parse(PublishSyntax syntax, String written) {
        String text = syntax.text("delay", written);
        if (text.isEmpty()) {
            return null;
        }
        if (DURATION.matcher(text).matches()) {
            return fixed(duration(text));
        }
        Expression expression = syntax.expression(text);
        return expression instanceof SpelExpression spel && isConstant(spel.getAST())
                ? fixed(evaluated(expression, expression.getValue()))
                : new Delay(null, expression);
    }

    /** What no message could be enqueued with is refused at once. */
    private static @Nullable Delay fixed(@Nullable Duration value) {
        if (value == null) {
            return null;
        }
        EnqueueOptions.options().delay(value);
        return new Delay(value, null);
    }

    /** Such as {@code 30} and {@code -30}. */
    private static boolean isConstant(SpelNode node) {
        return node instanceof Literal
                || (node instanceof OpMinus && node.getChildCount() == 1 && isConstant(node.getChild(0)));
    }

    EnqueueOptions addTo(EnqueueOptions options, Function<Expression, @Nullable Object> evaluate) {
        Duration value = expression == null ? fixed : evaluated(expression, evaluate.apply(expression));
        return value == null ? options : options.delay(value);
    }

    private static @Nullable Duration evaluated(Expression expression, @Nullable Object value) {
        if (value == null || value instanceof Duration) {
            return (Duration) value;
        }
        if (value instanceof CharSequence text && DURATION.matcher(text).matches()) {
            return duration(text.toString());
        }
        throw new MessageRejectedException("the delay '" + expression.getExpressionString() + "' evaluates to '" + value
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
