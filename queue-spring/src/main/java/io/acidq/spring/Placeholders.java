package io.acidq.spring;

import io.acidq.QueueMisuseException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Resolves {@code ${…}} in attributes of annotations. Its errors say which attribute is wrong.
 *
 * @param beanFactory knows the properties
 */
record Placeholders(ConfigurableBeanFactory beanFactory) {

    /** Without the space around it; empty where it resolves to nothing. */
    String resolve(String attribute, String written) {
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
}
