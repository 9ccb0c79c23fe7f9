package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** What is written into the queue is exactly what its declared type says. */
final class FinalPayloads extends ArchCondition<JavaClass> {

    FinalPayloads() {
        super("use records or final classes as payloads");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        ListenerMethods.in(type)
                .forEach(listener -> check(
                        type,
                        events,
                        "the listener " + CallGraph.name(listener) + " takes",
                        PayloadTypes.of(listener)));
        PublishingMethods.methodsIn(type)
                .forEach(method ->
                        check(type, events, CallGraph.name(method) + " publishes", PayloadTypes.returned(method)));
        if (AnnotationFinder.on(type, AnnotationFinder.EVENT).stream()
                .anyMatch(foundAnnotation -> foundAnnotation.text("payload").isEmpty())) {
            check(type, events, "an event publishes", List.of(type));
        }
        type.getFields()
                .forEach(field ->
                        check(type, events, "the template " + field.getFullName() + " takes", PayloadTypes.of(field)));
    }

    private static void check(JavaClass type, ConditionEvents events, String what, List<JavaClass> payloads) {
        payloads.stream()
                .filter(payload -> !isFixed(payload))
                .forEach(
                        payload -> events.add(
                                SimpleConditionEvent.violated(
                                        type,
                                        what + " a " + payload.getName()
                                                + ", which others can extend: make it a record, a final class, or a sealed type of such")));
    }

    private static boolean isFixed(JavaClass payload) {
        Set<JavaModifier> modifiers = payload.getModifiers();
        return payload.isPrimitive()
                || payload.isRecord()
                || payload.isEnum()
                || modifiers.contains(JavaModifier.FINAL)
                || payload.getPackageName().equals("java.math")
                || payload.getPermittedSubclasses()
                        .filter(permitted -> permitted.stream().allMatch(FinalPayloads::isFixed))
                        .isPresent();
    }
}
