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
 * Reads the text attributes of annotations: resolves placeholders {@code ${…}} and bean expressions {@code #{…}}. Error messages name the
 * attribute. Thread-safe. Not API.
 */
public final class AnnotationAttributes {

    /** A number without a unit, which is refused because its unit would be a guess. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    private final ConfigurableBeanFactory beanFactory;

    public AnnotationAttributes(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** Returns the name of a method for error messages, such as {@code com.shop.OrderService.place(NewOrder)}. */
    public static String nameOf(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }

    /** Resolves placeholders only, and trims the result. Returns an empty text if the text resolves to null. */
    public String resolve(String attribute, String written) {
        try {
            String resolved = beanFactory.resolveEmbeddedValue(written);
            return resolved == null ? "" : resolved.trim();
        } catch (IllegalArgumentException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' cannot be resolved (" + e.getMessage() + ")",
                    "define the property, or give a default as in ${name:value}",
                    e);
        }
    }

    /** Returns the first of the texts that is not empty after resolution; empty if all are. */
    public String text(String attribute, String... written) {
        return object(attribute, written).toString().trim();
    }

    /** Returns the first value whose text is not empty: a text, or the value of an expression; empty if all are. */
    public Object object(String attribute, String... written) {
        for (String each : written) {
            Object value = value(attribute, each);
            if (!value.toString().isBlank()) {
                return value;
            }
        }
        return "";
    }

    /** Returns all texts. An expression may return several, as an array or a collection. */
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

    /** Parses a duration. Returns null if the text is empty. */
    public @Nullable Duration duration(String attribute, String value) {
        if (NUMBER.matcher(value).matches()) {
            throw new QueueMisuseException(
                    attribute + " must be a duration with a unit, such as 30s or PT30S, was '" + value + "'");
        }
        try {
            return value.isEmpty() ? null : DurationFormatterUtils.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(
                    attribute + " must be a duration such as 30s or PT30S, was '" + value + "'", e);
        }
    }

    /** Refuses null, which would silently mean that the attribute is not set, for example that there is no circuit breaker. */
    private Object value(String attribute, String written) {
        Object value = evaluate(attribute, written);
        if (value == null) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' evaluates to null",
                    "correct the expression, or give a value for null, as in #{… ?: ''}");
        }
        return value;
    }

    private @Nullable Object evaluate(String attribute, String written) {
        String resolved = resolve(attribute, written);
        BeanExpressionResolver expressions = beanFactory.getBeanExpressionResolver();
        try {
            return expressions == null
                    ? resolved
                    : expressions.evaluate(resolved, new BeanExpressionContext(beanFactory, null));
        } catch (BeansException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' cannot be evaluated ("
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage() + ")",
                    "correct the expression, or write a text without #{…}",
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
