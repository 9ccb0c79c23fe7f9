package io.acidq.archunit;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds listeners: methods with {@code @QueueListener}, classes that implement a handler, and lambdas in methods that create a {@code Listener}. The
 * bytecode does not show which handler belongs to an external listener. A handler counts as external if a class that refers to it has a method that
 * makes a {@code Listener} external.
 */
final class ListenerMethods {

    private static final Set<String> HANDLER_TYPES = Set.of("io.acidq.Handler", "io.acidq.BatchHandler");
    private static final Map<String, Set<String>> LISTENER_FACTORIES =
            Map.of("io.acidq.config.Listener", Set.of("on", "onBatch", "withHandler"));
    private static final Map<String, Set<String>> EXTERNAL = Map.of(
            "io.acidq.config.Listener", Set.of("external"), "io.acidq.config.HandlerOptions", Set.of("withMode"));

    private ListenerMethods() {}

    static List<JavaMethod> in(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> !OverriddenMethods.hasNoBody(method))
                .filter(ListenerMethods::isListener)
                .toList();
    }

    static List<JavaMethod> transactionalIn(JavaClass type) {
        return in(type).stream().filter(ListenerMethods::isTransactional).toList();
    }

    static boolean isListener(JavaMethod method) {
        return !AnnotationFinder.on(method, AnnotationFinder.LISTENER).isEmpty();
    }

    /** A listener counts as transactional unless its mode is literally external; a placeholder may resolve to either. */
    static boolean isTransactional(JavaMethod method) {
        return AnnotationFinder.on(method, AnnotationFinder.LISTENER).stream()
                .noneMatch(foundAnnotation -> foundAnnotation.text("mode").equalsIgnoreCase("external"));
    }

    /** Returns the start of a path for each handler of this class that is transactional and has no annotation. */
    static Stream<CallPath> transactionalHandlersIn(JavaClass type) {
        return Stream.concat(
                type.getMethods().stream()
                        .filter(method -> isHandler(method) && !isUsedByExternalListener(type))
                        .map(CallPath::start),
                type.getCodeUnits().stream()
                        .filter(unit ->
                                CallGraph.anyFrom(unit, LISTENER_FACTORIES) && !CallGraph.anyFrom(unit, EXTERNAL))
                        .map(CallPath::startInLambdas));
    }

    private static boolean isHandler(JavaMethod method) {
        return !OverriddenMethods.hasNoBody(method)
                && OverriddenMethods.withOverridden(method).stream()
                        .anyMatch(each -> HANDLER_TYPES.contains(each.getOwner().getName()));
    }

    private static boolean isUsedByExternalListener(JavaClass handler) {
        return Stream.concat(
                        Stream.of(handler),
                        handler.getDirectDependenciesToSelf().stream().map(Dependency::getOriginClass))
                .distinct()
                .flatMap(user -> user.getCodeUnits().stream())
                .anyMatch(unit -> CallGraph.anyFrom(unit, EXTERNAL));
    }
}
