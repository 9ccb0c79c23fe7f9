package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.acidq.archunit.AnnotationFinder.FoundAnnotation;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds code that publishes messages: methods with {@code @Publish}, calls of the queue, and application events with {@code @PublishedTo}. */
final class PublishingMethods {

    private static final List<String> QUEUES = List.of("io.acidq.MessageQueue", "io.acidq.spring.QueueTemplate");

    private PublishingMethods() {}

    static List<JavaMethod> methodsIn(JavaClass type) {
        return type.getMethods().stream()
                .filter(OverriddenMethods::endsSearch)
                .filter(method -> !annotationsOf(method).isEmpty())
                .toList();
    }

    /** Returns the annotations of the method, otherwise of its class, otherwise of an interface that has the method. */
    static List<FoundAnnotation> annotationsOf(JavaMethod method) {
        List<FoundAnnotation> atMethod = AnnotationFinder.on(method, AnnotationFinder.PUBLISH);
        return atMethod.isEmpty() ? atTypes(method) : atMethod;
    }

    /** An annotation at the type that publishes results does not apply to void methods. */
    private static List<FoundAnnotation> atTypes(JavaMethod method) {
        Set<JavaModifier> modifiers = method.getModifiers();
        if (!modifiers.contains(JavaModifier.PUBLIC)
                || modifiers.contains(JavaModifier.STATIC)
                || modifiers.contains(JavaModifier.SYNTHETIC)) {
            return List.of();
        }
        boolean isVoid = method.getRawReturnType().getName().equals("void");
        return Stream.concat(Stream.of(method.getOwner()), OverriddenMethods.interfacesWith(method))
                .map(type -> AnnotationFinder.on(type, AnnotationFinder.PUBLISH))
                .filter(foundAnnotations -> !foundAnnotations.isEmpty())
                .findFirst()
                .orElse(List.of())
                .stream()
                .filter(foundAnnotation ->
                        !isVoid || !foundAnnotation.text("payload").isEmpty())
                .toList();
    }

    static List<JavaCodeUnitAccess<?>> callsIn(JavaCodeUnit unit) {
        return CallGraph.from(unit).stream()
                .filter(call -> isEnqueue(call) || isEvent(call))
                .toList();
    }

    private static boolean isEnqueue(JavaCodeUnitAccess<?> call) {
        String name = call.getTarget().getName();
        return (name.startsWith("enqueue") || name.startsWith("publish"))
                && QUEUES.stream().anyMatch(queue -> call.getTargetOwner().isAssignableTo(queue));
    }

    /** Whether the call publishes an event whose class or supertype has {@code @PublishedTo}. */
    private static boolean isEvent(JavaCodeUnitAccess<?> call) {
        return ApplicationEvents.published(call).stream()
                .flatMap(event -> event.getAllClassesSelfIsAssignableTo().stream())
                .anyMatch(type ->
                        !AnnotationFinder.on(type, AnnotationFinder.EVENT).isEmpty());
    }
}
