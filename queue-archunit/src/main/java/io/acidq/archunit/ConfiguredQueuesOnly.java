package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.acidq.archunit.AnnotationFinder.FoundAnnotation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Checks that annotations name only configured queues, and topics of which a subscription is configured. */
final class ConfiguredQueuesOnly extends ArchCondition<JavaClass> {

    private static final String TOPIC = "topic";
    private static final String SUBSCRIPTION = "subscription";
    private static final String SEPARATOR = "/";

    private final Set<String> configured;
    private final String where;
    private final UnaryOperator<String> placeholders;

    /**
     * Creates a check against these queues.
     *
     * @param where        the place of the configuration, for messages
     * @param placeholders resolves the placeholders that it knows
     */
    ConfiguredQueuesOnly(Set<String> configured, String where, UnaryOperator<String> placeholders) {
        super("name only queues that are configured");
        this.configured = configured;
        this.where = where;
        this.placeholders = placeholders;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Stream.of(AnnotationFinder.EVENT, AnnotationFinder.PUBLISH)
                .forEach(annotations -> check(type, events, type.getName(), AnnotationFinder.on(type, annotations)));
        type.getMethods().stream()
                .filter(OverriddenMethods::endsSearch)
                .forEach(method -> Stream.of(AnnotationFinder.LISTENER, AnnotationFinder.PUBLISH)
                        .forEach(annotations ->
                                check(type, events, CallGraph.name(method), AnnotationFinder.on(method, annotations))));
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

    private void check(JavaClass type, ConditionEvents events, String element, List<FoundAnnotation> foundAnnotations) {
        foundAnnotations.stream()
                .flatMap(ConfiguredQueuesOnly::queues)
                .flatMap(name -> resolved(name).stream())
                .filter(name -> !configured.contains(name))
                .distinct()
                .forEach(name -> events.add(SimpleConditionEvent.violated(
                        type,
                        element + " names the queue '" + name + "', which " + where
                                + " does not know: correct the name, or configure the queue there")));
        foundAnnotations.stream()
                .filter(foundAnnotation -> foundAnnotation.text(SUBSCRIPTION).isEmpty())
                .flatMap(foundAnnotation -> foundAnnotation.texts(TOPIC).stream())
                .flatMap(name -> resolved(name).stream())
                .filter(name -> configured.stream().noneMatch(queue -> queue.startsWith(name + SEPARATOR)))
                .distinct()
                .forEach(name -> events.add(SimpleConditionEvent.violated(
                        type,
                        element + " names the topic '" + name + "', of which " + where
                                + " knows no subscription: correct the name, or configure the queue of a subscription there,"
                                + " such as " + name + "/billing")));
    }

    /** Returns the queues that an annotation names; that of a subscription has the name topic/subscription. */
    private static Stream<String> queues(FoundAnnotation annotation) {
        String subscription = annotation.text(SUBSCRIPTION);
        return Stream.concat(
                annotation.texts("queue", "queues", "value").stream(),
                subscription.isEmpty() ? Stream.of() : Stream.of(annotation.text(TOPIC) + SEPARATOR + subscription));
    }

    /** Returns the name, or nothing if only the running application can resolve it. */
    private Optional<String> resolved(String name) {
        return Optional.of(placeholders.apply(name)).filter(text -> !text.contains("${") && !text.contains("#{"));
    }
}
