package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Application events of Spring, whose publisher runs the listeners. The bytecode does not show which event is published: each class that the publishing
 * method instantiates counts as published.
 */
final class ApplicationEvents {

    private static final String PUBLISHER = "org.springframework.context.ApplicationEventPublisher";
    private static final String LISTENER = "org.springframework.context.ApplicationListener";
    private static final Set<String> ANNOTATION = Set.of("org.springframework.context.event.EventListener");

    private ApplicationEvents() {}

    /** Returns the classes of events that a call publishes, or an empty list if the call publishes none. */
    static List<JavaClass> published(JavaCodeUnitAccess<?> call) {
        return isPublishing(call)
                ? call.getOrigin().getConstructorCallsFromSelf().stream()
                        .map(made -> made.getTargetOwner())
                        .distinct()
                        .toList()
                : List.of();
    }

    /** Returns the listeners that a publishing call runs on its thread, before it returns or before its transaction commits. */
    static List<JavaMethod> listeners(JavaCodeUnitAccess<?> call) {
        return published(call).stream()
                .flatMap(event -> event.getAllClassesSelfIsAssignableTo().stream())
                .flatMap(type -> type.getMethodsWithParameterTypeOfSelf().stream())
                .filter(ApplicationEvents::isListener)
                .distinct()
                .toList();
    }

    /** Returns the calls that publish an event of the listener's parameter type. */
    static List<JavaCodeUnitAccess<?>> publishing(JavaMethod listener) {
        return isListener(listener)
                ? listener.getRawParameterTypes().stream()
                        .flatMap(type -> Stream.concat(Stream.of(type), type.getAllSubclasses().stream()))
                        .flatMap(event -> event.getConstructorCallsToSelf().stream())
                        .flatMap(made -> CallGraph.from(made.getOrigin()).stream())
                        .filter(ApplicationEvents::isPublishing)
                        .distinct()
                        .toList()
                : List.of();
    }

    private static boolean isPublishing(JavaCodeUnitAccess<?> call) {
        return call.getTarget().getName().equals("publishEvent")
                && call.getTargetOwner().isAssignableTo(PUBLISHER);
    }

    private static boolean isListener(JavaMethod method) {
        boolean isInterfaceMethod = method.getName().equals("onApplicationEvent")
                && method.getOwner().isAssignableTo(LISTENER)
                && !method.getModifiers().contains(JavaModifier.BRIDGE);
        boolean isAfterCommit = AnnotationFinder.on(method, AnnotationFinder.AFTER).stream()
                .anyMatch(foundAnnotation -> !foundAnnotation.text("phase").equals("BEFORE_COMMIT"));
        return (isInterfaceMethod || !AnnotationFinder.on(method, ANNOTATION).isEmpty())
                && method.getRawParameterTypes().size() == 1
                && !isAfterCommit
                && !DeclaredTransaction.isAsync(method);
    }
}
