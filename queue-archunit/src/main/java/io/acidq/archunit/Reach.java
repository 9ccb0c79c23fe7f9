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
record Reach(JavaCodeUnit unit, String way, boolean isLambda) {

    static Reach start(JavaMethod listener) {
        return new Reach(listener, Calls.name(listener), false);
    }

    static Reach startInLambdas(JavaCodeUnit unit) {
        return new Reach(unit, Calls.name(unit), true);
    }

    /** All bodies that the transactional listeners of a class may run on their threads, themselves first. */
    static List<Reach> ofListeners(JavaClass type) {
        return Stream.concat(Listeners.transactionalIn(type).stream().map(Reach::start), Handlers.in(type))
                .flatMap(start -> start.all().stream())
                .toList();
    }

    /** What the body calls. */
    List<JavaCodeUnitAccess<?>> calls() {
        return Calls.from(unit).stream()
                .filter(call -> !isLambda || Calls.isDeferred(call))
                .toList();
    }

    private List<Reach> all() {
        List<Reach> reached = new ArrayList<>();
        Set<JavaCodeUnit> seen = new HashSet<>(Set.of(unit));
        Deque<Reach> next = new ArrayDeque<>(List.of(this));
        while (!next.isEmpty()) {
            Reach here = next.removeFirst();
            reached.add(here);
            here.calls().stream()
                    .flatMap(call -> Stream.concat(Calls.bodies(call).stream(), Events.listeners(call).stream()))
                    .filter(body -> isFollowed(body) && seen.add(body))
                    .forEach(body -> next.addLast(new Reach(body, here.way + " -> " + Calls.name(body), false)));
        }
        return reached;
    }

    private static boolean isFollowed(JavaCodeUnit body) {
        return !Calls.isOfLibrary(body.getOwner()) && !(body instanceof JavaMethod method && Declared.isAsync(method));
    }
}
