package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Queues that annotations name are among those that are configured. */
final class NamedQueues extends ArchCondition<JavaClass> {

    private final Set<String> configured;
    private final String where;
    private final UnaryOperator<String> placeholders;

    /**
     * Against these queues.
     *
     * @param where        in words, for messages
     * @param placeholders replaces those that it knows
     */
    NamedQueues(Set<String> configured, String where, UnaryOperator<String> placeholders) {
        super("name only queues that are configured");
        this.configured = configured;
        this.where = where;
        this.placeholders = placeholders;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Stream.of(AnnotationFinder.EVENT, AnnotationFinder.PUBLISH)
                .forEach(marks -> check(type, events, type.getName(), AnnotationFinder.on(type, marks)));
        type.getMethods().stream()
                .filter(OverriddenMethods::isLast)
                .forEach(method -> Stream.of(AnnotationFinder.LISTENER, AnnotationFinder.PUBLISH)
                        .forEach(marks ->
                                check(type, events, CallGraph.name(method), AnnotationFinder.on(method, marks))));
        type.getFields()
                .forEach(field ->
                        check(type, events, field.getFullName(), AnnotationFinder.on(field, AnnotationFinder.NAME)));
        type.getCodeUnits().stream()
                .forEach(unit -> unit.getParameters()
                        .forEach(parameter -> check(
                                type,
                                events,
                                "a parameter of " + CallGraph.name(unit),
                                AnnotationFinder.on(parameter, AnnotationFinder.NAME))));
    }

    private void check(JavaClass type, ConditionEvents events, String who, List<FoundAnnotation> foundAnnotations) {
        foundAnnotations.stream()
                .flatMap(foundAnnotation -> foundAnnotation.texts("queue", "queues", "value").stream())
                .flatMap(name -> known(name).stream())
                .filter(name -> !configured.contains(name))
                .distinct()
                .forEach(name -> events.add(SimpleConditionEvent.violated(
                        type,
                        who + " names the queue '" + name + "', which " + where
                                + " does not know: correct the name, or configure the queue there")));
    }

    /** Nothing where only the running application can tell. */
    private Optional<String> known(String name) {
        return Optional.of(placeholders.apply(name)).filter(text -> !text.contains("${") && !text.contains("#{"));
    }
}
