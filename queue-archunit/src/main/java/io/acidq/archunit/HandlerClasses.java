package io.acidq.archunit;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What handles messages without an annotation: classes that are handlers, and lambdas in methods that make a {@code Listener}. Which handler
 * is an external listener's, bytecode does not tell for certain: all that are named where one is made external are taken to be.
 */
final class HandlerClasses {

    private static final Set<String> TYPES = Set.of("io.acidq.Handler", "io.acidq.BatchHandler");
    private static final Map<String, Set<String>> MAKERS =
            Map.of("io.acidq.config.Listener", Set.of("on", "onBatch", "withHandler"));
    private static final Map<String, Set<String>> EXTERNAL = Map.of(
            "io.acidq.config.Listener", Set.of("external"), "io.acidq.config.HandlerOptions", Set.of("withMode"));

    private HandlerClasses() {}

    /** Where transactional handlers in this class begin. */
    static Stream<CallPath> in(JavaClass type) {
        return Stream.concat(
                type.getMethods().stream()
                        .filter(method -> isHandler(method) && !isNamedByExternal(type))
                        .map(CallPath::start),
                type.getCodeUnits().stream()
                        .filter(unit -> CallGraph.anyFrom(unit, MAKERS) && !CallGraph.anyFrom(unit, EXTERNAL))
                        .map(CallPath::startInLambdas));
    }

    private static boolean isHandler(JavaMethod method) {
        return !OverriddenMethods.isOnlySigned(method)
                && OverriddenMethods.withOverridden(method).stream()
                        .anyMatch(each -> TYPES.contains(each.getOwner().getName()));
    }

    private static boolean isNamedByExternal(JavaClass handler) {
        return Stream.concat(
                        Stream.of(handler),
                        handler.getDirectDependenciesToSelf().stream().map(Dependency::getOriginClass))
                .distinct()
                .flatMap(user -> user.getCodeUnits().stream())
                .anyMatch(HandlerClasses::makesExternal);
    }

    private static boolean makesExternal(JavaCodeUnit unit) {
        return CallGraph.anyFrom(unit, EXTERNAL);
    }
}
