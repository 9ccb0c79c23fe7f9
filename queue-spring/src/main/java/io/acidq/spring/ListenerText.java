package io.acidq.spring;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads the attributes of {@link QueueListener}: placeholders and expressions. Its errors say which attribute is wrong. */
final class ListenerText {

    private final ConfigurableBeanFactory beanFactory;

    ListenerText(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** The first that is not empty. */
    String text(String... written) {
        for (String each : written) {
            Object value = value(each);
            String text = value == null ? "" : value.toString().trim();
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    /** All of them, where an expression may stand for several. */
    List<String> texts(String... written) {
        List<String> texts = new ArrayList<>();
        for (String each : written) {
            addTo(texts, value(each));
        }
        return texts;
    }

    boolean flag(String attribute, String written) {
        String value = text(written);
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
        try {
            return value.isEmpty() ? null : DurationFormatterUtils.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(
                    attribute + " must be a duration such as 30s or PT30S, was '" + value + "'", e);
        }
    }

    /** With placeholders alone. */
    String placed(String written) {
        String value = beanFactory.resolveEmbeddedValue(written);
        return value == null ? "" : value.trim();
    }

    private @Nullable Object value(String written) {
        String placed = beanFactory.resolveEmbeddedValue(written);
        BeanExpressionResolver expressions = beanFactory.getBeanExpressionResolver();
        return placed == null || expressions == null
                ? placed
                : expressions.evaluate(placed, new BeanExpressionContext(beanFactory, null));
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
