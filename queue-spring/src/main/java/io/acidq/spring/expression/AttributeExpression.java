package io.acidq.spring.expression;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A parsed and checked SpEL expression of an annotation's attribute. Error messages name the attribute and the expression; the caller adds the
 * place of the annotation. Thread-safe. Not API.
 *
 * @param attribute  the name of the attribute, such as {@code key}
 * @param expression the parsed expression
 */
public record AttributeExpression(String attribute, SpelExpression expression) {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    /**
     * Parses an attribute. Returns null if it is empty.
     *
     * @throws QueueMisuseException if it is not an expression, or names a variable that does not exist or is ambiguous
     */
    public static @Nullable AttributeExpression parse(String attribute, String written, ExpressionVariables variables) {
        if (written.isBlank()) {
            return null;
        }
        try {
            AttributeExpression parsed = new AttributeExpression(attribute, PARSER.parseRaw(written));
            variables.check(parsed.toString(), parsed.expression.getAST());
            return parsed;
        } catch (ParseException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' is not a SpEL expression (" + e.getMessage() + ")",
                    "correct the expression; a fixed text needs quotes, as in 'shop'",
                    e);
        }
    }

    /** Returns whether it is a number or a text, such as {@code 30}, {@code -30} and {@code '30s'}. */
    public boolean isLiteral() {
        return isLiteral(expression.getAST());
    }

    private static boolean isLiteral(SpelNode node) {
        return node instanceof Literal
                || (node instanceof OpMinus && node.getChildCount() == 1 && isLiteral(node.getChild(0)));
    }

    /**
     * Evaluates the expression. All exceptions are wrapped, because SpEL passes an exception of a called method on without naming the expression.
     */
    public @Nullable Object value(EvaluationContext context) {
        try {
            return expression.getValue(context);
        } catch (RuntimeException e) {
            String reason = e instanceof EvaluationException ? String.valueOf(e.getMessage()) : e.toString();
            throw new MessageRejectedException(
                    this + " cannot be evaluated: " + reason + ". Correct the expression or the value that it reads",
                    e);
        }
    }

    /** Evaluates the expression to a text. Refuses null, which would silently switch off what the attribute is for. */
    public String text(EvaluationContext context) {
        Object value = value(context);
        if (value == null) {
            throw new MessageRejectedException(
                    this + " evaluates to null: make it return a value, or remove the attribute");
        }
        return value.toString();
    }

    /** Evaluates the expression to true or false. Refuses any other value: null, for example, would silently count as false. */
    public boolean isTrue(EvaluationContext context) {
        Object value = value(context);
        if (value instanceof Boolean isTrue) {
            return isTrue;
        }
        throw new MessageRejectedException(this + " evaluates to "
                + (value == null ? "null" : "a " + value.getClass().getName())
                + ", which is neither true nor false: write a comparison, such as total > 100");
    }

    /** Returns the attribute and the expression, for error messages. */
    @Override
    public String toString() {
        return attribute + " '" + expression.getExpressionString() + "'";
    }
}
