package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What enqueues: methods with {@code @Publish}, calls of the queue, and application events that are marked as messages. */
final class Publishing {

    private static final List<String> QUEUES = List.of("io.acidq.MessageQueue", "io.acidq.spring.QueueTemplate");

    private Publishing() {}

    static List<JavaMethod> methodsIn(JavaClass type) {
        return type.getMethods().stream()
                .filter(Overriding::isLast)
                .filter(method -> !marks(method).isEmpty())
                .toList();
    }

    /** Those at the method, or where it has none at its class, or else at an interface that has the method. */
    static List<Mark> marks(JavaMethod method) {
        List<Mark> atMethod = Marks.on(method, Marks.PUBLISH);
        return atMethod.isEmpty() ? atTypes(method) : atMethod;
    }

    /** A void method has nothing to publish but what is named; at a type that is no mistake. */
    private static List<Mark> atTypes(JavaMethod method) {
        Set<JavaModifier> modifiers = method.getModifiers();
        if (!modifiers.contains(JavaModifier.PUBLIC)
                || modifiers.contains(JavaModifier.STATIC)
                || modifiers.contains(JavaModifier.SYNTHETIC)) {
            return List.of();
        }
        boolean isVoid = method.getRawReturnType().getName().equals("void");
        return Stream.concat(Stream.of(method.getOwner()), Overriding.interfacesWith(method))
                .map(type -> Marks.on(type, Marks.PUBLISH))
                .filter(marks -> !marks.isEmpty())
                .findFirst()
                .orElse(List.of())
                .stream()
                .filter(mark -> !isVoid || !mark.text("payload").isEmpty())
                .toList();
    }

    static List<JavaCodeUnitAccess<?>> callsIn(JavaCodeUnit unit) {
        return Calls.from(unit).stream()
                .filter(call -> isEnqueue(call) || isEvent(call))
                .toList();
    }

    private static boolean isEnqueue(JavaCodeUnitAccess<?> call) {
        String name = call.getTarget().getName();
        return (name.startsWith("enqueue") || name.startsWith("publish"))
                && QUEUES.stream().anyMatch(queue -> call.getTargetOwner().isAssignableTo(queue));
    }

    /** Of a type that is marked, or below one that is. */
    private static boolean isEvent(JavaCodeUnitAccess<?> call) {
        return Events.published(call).stream()
                .flatMap(event -> event.getAllClassesSelfIsAssignableTo().stream())
                .anyMatch(type -> !Marks.on(type, Marks.EVENT).isEmpty());
    }
}
