package io.acidq.spring;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads the attributes of {@link QueueListener}: placeholders and expressions. Its errors say which attribute is wrong. */
final class ListenerText {

    /** A number alone is no duration: nobody would know the unit. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    private final ConfigurableBeanFactory beanFactory;
    private final Placeholders placeholders;

    ListenerText(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.placeholders = new Placeholders(beanFactory);
    }

    /** The first that is not empty. */
    String text(String attribute, String... written) {
        return object(attribute, written).toString().trim();
    }

    /** The first whose text is not empty: the text, or what an expression gives. */
    Object object(String attribute, String... written) {
        for (String each : written) {
            Object value = value(attribute, each);
            if (!value.toString().isBlank()) {
                return value;
            }
        }
        return "";
    }

    /** All of them, where an expression may stand for several. */
    List<String> texts(String attribute, String... written) {
        List<String> texts = new ArrayList<>();
        for (String each : written) {
            addTo(texts, value(attribute, each));
        }
        return texts;
    }

    boolean flag(String attribute, String written) {
        String value = text(attribute, written);
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new QueueMisuseException(attribute + " must be true or false, was '" + value + "'");
        }
        return Boolean.parseBoolean(value);
    }

    int number(String attribute, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new QueueMisuseException(attribute + " must be a number, was '" + value + "'", e);
        }
    }

    /** Null when there is none. */
    @Nullable
    Duration duration(String attribute, String value) {
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

    /** With placeholders alone. */
    String placed(String attribute, String written) {
        return placeholders.resolve(attribute, written);
    }

    /** Null is refused: it would count as an attribute that is not written, such as no circuit breaker. */
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
        String placed = placed(attribute, written);
        BeanExpressionResolver expressions = beanFactory.getBeanExpressionResolver();
        try {
            return expressions == null
                    ? placed
                    : expressions.evaluate(placed, new BeanExpressionContext(beanFactory, null));
        } catch (BeansException e) {
            throw QueueMisuseException.withAction(
                    attribute + " '" + written + "' can not be evaluated ("
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
