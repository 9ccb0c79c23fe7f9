package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A body that a listener may run, by way of others.
 *
 * @param way      from the listener to the body
 * @param isLambda whether it is only what lambdas and method references in the unit do
 */
record CallPath(JavaCodeUnit unit, String way, boolean isLambda) {

    static CallPath start(JavaMethod listener) {
        return new CallPath(listener, CallGraph.name(listener), false);
    }

    static CallPath startInLambdas(JavaCodeUnit unit) {
        return new CallPath(unit, CallGraph.name(unit), true);
    }

    /** All bodies that the transactional listeners of a class may run on their threads, themselves first. */
    static List<CallPath> ofListeners(JavaClass type) {
        return Stream.concat(
                        ListenerMethods.transactionalIn(type).stream().map(CallPath::start), HandlerClasses.in(type))
                .flatMap(start -> start.all().stream())
                .toList();
    }

    /** What the body calls. */
    List<JavaCodeUnitAccess<?>> calls() {
        return CallGraph.from(unit).stream()
                .filter(call -> !isLambda || CallGraph.isDeferred(call))
                .toList();
    }

    private List<CallPath> all() {
        List<CallPath> reached = new ArrayList<>();
        Set<JavaCodeUnit> seen = new HashSet<>(Set.of(unit));
        Deque<CallPath> next = new ArrayDeque<>(List.of(this));
        while (!next.isEmpty()) {
            CallPath here = next.removeFirst();
            reached.add(here);
            here.calls().stream()
                    .flatMap(call ->
                            Stream.concat(CallGraph.bodies(call).stream(), ApplicationEvents.listeners(call).stream()))
                    .filter(body -> isFollowed(body) && seen.add(body))
                    .forEach(body -> next.addLast(new CallPath(body, here.way + " -> " + CallGraph.name(body), false)));
        }
        return reached;
    }

    private static boolean isFollowed(JavaCodeUnit body) {
        return !CallGraph.isOfLibrary(body.getOwner())
                && !(body instanceof JavaMethod method && DeclaredTransaction.isAsync(method));
    }
}
