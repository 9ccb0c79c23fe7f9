package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;

/** What enqueues: methods with {@code @Publish}, calls of the queue, and application events that are marked as messages. */
final class Publishing {

    private static final List<String> QUEUES = List.of("io.acidq.MessageQueue", "io.acidq.spring.QueueTemplate");
    private static final String EVENTS = "org.springframework.context.ApplicationEventPublisher";

    private Publishing() {}

    static List<JavaMethod> methodsIn(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> !Overriding.isOnlySigned(method))
                .filter(method -> !Marks.on(method, Marks.PUBLISH).isEmpty())
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

    /** Bytecode does not tell what is published; a marked event that the same method makes is taken to be it. */
    private static boolean isEvent(JavaCodeUnitAccess<?> call) {
        return call.getTarget().getName().equals("publishEvent")
                && call.getTargetOwner().isAssignableTo(EVENTS)
                && call.getOrigin().getConstructorCallsFromSelf().stream()
                        .anyMatch(made ->
                                !Marks.on(made.getTargetOwner(), Marks.EVENT).isEmpty());
    }
}
