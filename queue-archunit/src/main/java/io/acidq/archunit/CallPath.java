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
 * Code that a listener can run, and the calls that lead to it.
 *
 * @param unit        the method or initializer with the code
 * @param route       the names of the methods from the listener to the code
 * @param lambdasOnly whether only the lambdas and method references in that unit belong to the path
 */
record CallPath(JavaCodeUnit unit, String route, boolean lambdasOnly) {

    static CallPath start(JavaMethod listener) {
        return new CallPath(listener, CallGraph.name(listener), false);
    }

    static CallPath startInLambdas(JavaCodeUnit unit) {
        return new CallPath(unit, CallGraph.name(unit), true);
    }

    /** Returns all code that the transactional listeners of a class can run on their threads, beginning with the listeners. */
    static List<CallPath> ofListeners(JavaClass type) {
        return Stream.concat(
                        ListenerMethods.transactionalIn(type).stream().map(CallPath::start),
                        ListenerMethods.transactionalHandlersIn(type))
                .flatMap(start -> start.all().stream())
                .toList();
    }

    /** Returns the calls that the code makes. */
    List<JavaCodeUnitAccess<?>> calls() {
        return CallGraph.from(unit).stream()
                .filter(call -> !lambdasOnly || CallGraph.isDeferred(call))
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
                    .forEach(body ->
                            next.addLast(new CallPath(body, here.route + " -> " + CallGraph.name(body), false)));
        }
        return reached;
    }

    private static boolean isFollowed(JavaCodeUnit body) {
        return !CallGraph.isOfLibrary(body.getOwner())
                && !(body instanceof JavaMethod method && DeclaredTransaction.isAsync(method));
    }
}
