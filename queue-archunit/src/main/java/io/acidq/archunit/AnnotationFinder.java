package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds annotations by name as Spring does: on the element, in containers of repeatable ones, and as meta-annotations, whose attributes
 * {@code @AliasFor} may set.
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

    /** On a method, or where it has none on the nearest one that it overrides. */
    static List<FoundAnnotation> on(JavaMethod method, Set<String> types) {
        return OverriddenMethods.withOverridden(method).stream()
                .map(each -> among(each.getAnnotations(), types))
                .filter(foundAnnotations -> !foundAnnotations.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** On a class, a field or a parameter. */
    static List<FoundAnnotation> on(HasAnnotations<?> element, Set<String> types) {
        return among(element.getAnnotations(), types);
    }

    private static List<FoundAnnotation> among(Collection<? extends JavaAnnotation<?>> annotations, Set<String> types) {
        AnnotationFinder annotationFinder = new AnnotationFinder(types);
        annotations.forEach(annotation -> annotationFinder.collect(annotation, Map.of(), new HashSet<>()));
        return annotationFinder.found;
    }

    private void collect(JavaAnnotation<?> annotation, Map<String, Object> given, Set<String> outer) {
        JavaClass type = annotation.getRawType();
        if (type.getPackageName().startsWith("java.lang") || !outer.add(type.getName())) {
            return;
        }
        Map<String, Object> attributes = new HashMap<>(annotation.getProperties());
        attributes.putAll(given);
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

    /** What the attributes of an annotation say for those of one that stands on its type. */
    private static Map<String, Object> aliases(JavaClass type, Map<String, Object> attributes, JavaAnnotation<?> meta) {
        Map<String, Object> given = new HashMap<>();
        for (JavaMethod attribute : type.getMethods()) {
            Object value = attributes.get(attribute.getName());
            attribute.tryGetAnnotationOfType(ALIAS).ifPresent(alias -> {
                boolean isMeant = alias.get("annotation")
                        .filter(target -> target.equals(meta.getRawType()))
                        .isPresent();
                if (isMeant && value != null) {
                    given.put(aliased(alias, attribute.getName()), value);
                }
            });
        }
        return given;
    }

    private static String aliased(JavaAnnotation<?> alias, String otherwise) {
        List<String> names = new FoundAnnotation(ALIAS, alias.getProperties()).texts("attribute", "value");
        return names.isEmpty() ? otherwise : names.get(0);
    }
}
