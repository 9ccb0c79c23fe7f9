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
 * An attribute of an annotation that is a SpEL expression, parsed and checked. Its errors name the attribute and the expression; the caller
 * adds the place of the annotation. Thread-safe. Not API.
 *
 * @param attribute  such as {@code key}
 * @param expression what is written there
 */
public record AttributeExpression(String attribute, SpelExpression expression) {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    /**
     * Parses an attribute; null when nothing is written there.
     *
     * @throws QueueMisuseException when it is no expression, or names a variable that does not exist
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
                    attribute + " '" + written + "' is no SpEL expression (" + e.getMessage() + ")", "correct it", e);
        }
    }

    /** Whether it is a number or a text, such as {@code 30}, {@code -30} and {@code '30s'}. */
    public boolean isLiteral() {
        return isLiteral(expression.getAST());
    }

    private static boolean isLiteral(SpelNode node) {
        return node instanceof Literal
                || (node instanceof OpMinus && node.getChildCount() == 1 && isLiteral(node.getChild(0)));
    }

    /** Its value. SpEL throws what a method of the expression throws without naming the expression, so all of it is wrapped. */
    public @Nullable Object value(EvaluationContext context) {
        try {
            return expression.getValue(context);
        } catch (RuntimeException e) {
            String why = e instanceof EvaluationException ? String.valueOf(e.getMessage()) : e.toString();
            throw new MessageRejectedException(this + " does not evaluate: " + why, e);
        }
    }

    /** Its value as a text; fails when it is null. */
    public String text(EvaluationContext context) {
        Object value = value(context);
        if (value == null) {
            throw new MessageRejectedException("the " + this + " is null: a forgotten " + attribute
                    + " would switch off what it is for; give it a value, or leave it out");
        }
        return value.toString();
    }

    /** Whether it is true. Fails when it is neither true nor false: null would count as one of them without a word. */
    public boolean isTrue(EvaluationContext context) {
        Object value = value(context);
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new MessageRejectedException(this + " evaluates to "
                + (value == null ? "null" : "a " + value.getClass().getName())
                + ", which is neither true nor false: write a comparison, such as total > 100");
    }

    /** For error messages. */
    @Override
    public String toString() {
        return attribute + " '" + expression.getExpressionString() + "'";
    }
}
