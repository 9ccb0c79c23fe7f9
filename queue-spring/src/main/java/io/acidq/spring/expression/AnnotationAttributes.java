package io.acidq.spring.expression;

import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Reader of the text attributes of annotations: resolves placeholders {@code ${…}} and bean expressions {@code #{…}}. Its errors say which
 * attribute is wrong. Not API.
 */
public final class AnnotationAttributes {

    /** A number alone is refused: its unit would be a guess. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    private final ConfigurableBeanFactory beanFactory;

    public AnnotationAttributes(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** The name of a method in error messages, such as {@code com.shop.OrderService.place(NewOrder)}. */
    public static String nameOf(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }

    /** Resolves placeholders only, and trims the result. Empty where the text resolves to nothing. */
    public String resolve(String attribute, String written) {
        try {
            String resolved = beanFactory.resolveEmbeddedValue(written);
            return resolved == null ? "" : resolved.trim();
        } catch (IllegalArgumentException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' can not be resolved (" + e.getMessage() + ")",
                    "define the property, or give a default as in ${name:value}",
                    e);
        }
    }

    /** The first text that is not empty. */
    public String text(String attribute, String... written) {
        return object(attribute, written).toString().trim();
    }

    /** The first whose text is not empty: the text, or the value of its expression. */
    public Object object(String attribute, String... written) {
        for (String each : written) {
            Object value = value(attribute, each);
            if (!value.toString().isBlank()) {
                return value;
            }
        }
        return "";
    }

    /** All texts; an expression may stand for several. */
    public List<String> texts(String attribute, String... written) {
        List<String> texts = new ArrayList<>();
        for (String each : written) {
            addTo(texts, value(attribute, each));
        }
        return texts;
    }

    public boolean flag(String attribute, String written) {
        String value = text(attribute, written);
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new QueueMisuseException(attribute + " must be true or false, was '" + value + "'");
        }
        return Boolean.parseBoolean(value);
    }

    public int number(String attribute, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new QueueMisuseException(attribute + " must be a number, was '" + value + "'", e);
        }
    }

    /** Null when the text is empty. */
    public @Nullable Duration duration(String attribute, String value) {
        if (NUMBER.matcher(value).matches()) {
            throw new QueueMisuseException(
                    attribute + " must be a duration with its unit, such as 30s or PT30S, was '" + value + "'");
        }
        try {
            return value.isEmpty() ? null : DurationFormatterUtils.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(
                    attribute + " must be a duration such as 30s or PT30S, was '" + value + "'", e);
        }
    }

    /** Refuses null, which would count as an attribute that is not written, such as no circuit breaker. */
    private Object value(String attribute, String written) {
        Object value = evaluated(attribute, written);
        if (value == null) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' evaluates to null",
                    "correct the expression, or say what counts in place of null, as in #{… ?: ''}");
        }
        return value;
    }

    private @Nullable Object evaluated(String attribute, String written) {
        String placed = resolve(attribute, written);
        BeanExpressionResolver expressions = beanFactory.getBeanExpressionResolver();
        try {
            return expressions == null
                    ? placed
                    : expressions.evaluate(placed, new BeanExpressionContext(beanFactory, null));
        } catch (BeansException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' cannot be evaluated ("
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage() + ")",
                    "correct the expression, or write a plain text",
                    e);
        }
    }

    private static void addTo(List<String> texts, @Nullable Object value) {
        if (value instanceof Object[] array) {
            Arrays.asList(array).forEach(each -> addTo(texts, each));
        } else if (value instanceof Collection<?> collection) {
            collection.forEach(each -> addTo(texts, each));
        } else {
            texts.add(value == null ? "" : value.toString().trim());
        }
    }
}
