package io.acidq.spring;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the attributes of annotations that publish: placeholders and SpEL. */
final class PublishSyntax {

    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final Placeholders placeholders;

    PublishSyntax(ConfigurableBeanFactory beanFactory) {
        this.placeholders = new Placeholders(beanFactory);
    }

    /** A text with its placeholders resolved. */
    String text(String attribute, String written) {
        return placeholders.resolve(attribute, written);
    }

    /** An expression, or null when none is written. */
    @Nullable
    Expression expression(String written) {
        if (written.isBlank()) {
            return null;
        }
        try {
            return parser.parseExpression(written);
        } catch (ParseException e) {
            throw new QueueMisuseException("'" + written + "' is no SpEL expression: " + e.getMessage(), e);
        }
    }

    static <T> @Nullable T value(Expression expression, EvaluationContext context, Class<T> type) {
        try {
            return expression.getValue(context, type);
        } catch (EvaluationException e) {
            throw new MessageRejectedException(
                    "'" + expression.getExpressionString() + "' does not evaluate: " + e.getMessage(), e);
        }
    }
}
