package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaEnumConstant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An annotation of a known name with what its attributes say there.
 *
 * @param type       the name of the annotation's type
 * @param attributes by name, defaults included where the type is on the classpath
 */
record FoundAnnotation(String type, Map<String, Object> attributes) {

    /** The text or the enum constant that the attribute holds; empty without it. */
    String text(String attribute) {
        Object value = attributes.get(attribute);
        return value instanceof JavaEnumConstant constant ? constant.name() : value instanceof String text ? text : "";
    }

    boolean is(String attribute) {
        return Boolean.TRUE.equals(attributes.get(attribute));
    }

    /** What these attributes hold, each a text or several. */
    List<String> texts(String... names) {
        return Arrays.stream(names)
                .map(attributes::get)
                .flatMap(value -> value instanceof Object[] several ? Arrays.stream(several) : Stream.ofNullable(value))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }
}
