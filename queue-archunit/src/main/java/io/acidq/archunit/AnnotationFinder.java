package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds annotations by name with the rules of Spring: on the element, in containers of repeatable annotations, and as meta-annotations, whose attributes
 * {@code @AliasFor} can set.
 */
final class AnnotationFinder {

    static final Set<String> LISTENER = Set.of("io.acidq.spring.QueueListener");
    static final Set<String> PUBLISH = Set.of("io.acidq.spring.Publish");
    static final Set<String> EVENT = Set.of("io.acidq.spring.PublishedTo");
    static final Set<String> NAME = Set.of("io.acidq.spring.QueueName");
    static final Set<String> ASYNC = Set.of("org.springframework.scheduling.annotation.Async");
    static final Set<String> AFTER = Set.of("org.springframework.transaction.event.TransactionalEventListener");
    private static final String ALIAS = "org.springframework.core.annotation.AliasFor";

    private final Set<String> types;
    private final List<FoundAnnotation> found = new ArrayList<>();

    private AnnotationFinder(Set<String> types) {
        this.types = types;
    }

    /** Returns the annotations of a method, or of the nearest overridden method that has some. */
    static List<FoundAnnotation> on(JavaMethod method, Set<String> types) {
        return OverriddenMethods.withOverridden(method).stream()
                .map(each -> among(each.getAnnotations(), types))
                .filter(foundAnnotations -> !foundAnnotations.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Returns the annotations of a class, a field or a parameter. */
    static List<FoundAnnotation> on(HasAnnotations<?> element, Set<String> types) {
        return among(element.getAnnotations(), types);
    }

    private static List<FoundAnnotation> among(Collection<? extends JavaAnnotation<?>> annotations, Set<String> types) {
        AnnotationFinder annotationFinder = new AnnotationFinder(types);
        annotations.forEach(annotation -> annotationFinder.collect(annotation, Map.of(), new HashSet<>()));
        return annotationFinder.found;
    }

    private void collect(JavaAnnotation<?> annotation, Map<String, Object> overrides, Set<String> outer) {
        JavaClass type = annotation.getRawType();
        if (type.getPackageName().startsWith("java.lang") || !outer.add(type.getName())) {
            return;
        }
        Map<String, Object> attributes = new HashMap<>(annotation.getProperties());
        attributes.putAll(overrides);
        if (types.contains(type.getName())) {
            found.add(new FoundAnnotation(type.getName(), Map.copyOf(attributes)));
            return;
        }
        if (attributes.get("value") instanceof Object[] several) {
            for (Object each : several) {
                if (each instanceof JavaAnnotation<?> repeated) {
                    collect(repeated, Map.of(), new HashSet<>(outer));
                }
            }
        }
        type.getAnnotations().forEach(meta -> collect(meta, aliases(type, attributes, meta), new HashSet<>(outer)));
    }

    /** Returns the attributes of the meta-annotation that attributes of the annotation set with {@code @AliasFor}. */
    private static Map<String, Object> aliases(JavaClass type, Map<String, Object> attributes, JavaAnnotation<?> meta) {
        Map<String, Object> overrides = new HashMap<>();
        for (JavaMethod attribute : type.getMethods()) {
            Object value = attributes.get(attribute.getName());
            attribute.tryGetAnnotationOfType(ALIAS).ifPresent(alias -> {
                boolean isTarget = alias.get("annotation")
                        .filter(target -> target.equals(meta.getRawType()))
                        .isPresent();
                if (isTarget && value != null) {
                    overrides.put(aliased(alias, attribute.getName()), value);
                }
            });
        }
        return overrides;
    }

    private static String aliased(JavaAnnotation<?> alias, String defaultName) {
        List<String> names = new FoundAnnotation(ALIAS, alias.getProperties()).texts("attribute", "value");
        return names.isEmpty() ? defaultName : names.get(0);
    }

    /**
     * An annotation and the values of its attributes.
     *
     * @param type       the name of the annotation type
     * @param attributes the values by name, with defaults if the annotation type is on the classpath
     */
    record FoundAnnotation(String type, Map<String, Object> attributes) {

        /** Returns the string or the name of the enum constant of an attribute, or an empty string. */
        String text(String attribute) {
            Object value = attributes.get(attribute);
            return value instanceof JavaEnumConstant constant
                    ? constant.name()
                    : value instanceof String text ? text : "";
        }

        boolean isTrue(String attribute) {
            return Boolean.TRUE.equals(attributes.get(attribute));
        }

        /** Returns the non-empty strings of these attributes, each of which is a string or an array. */
        List<String> texts(String... names) {
            return Arrays.stream(names)
                    .map(attributes::get)
                    .flatMap(value ->
                            value instanceof Object[] several ? Arrays.stream(several) : Stream.ofNullable(value))
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .filter(text -> !text.isEmpty())
                    .distinct()
                    .toList();
        }
    }
}
