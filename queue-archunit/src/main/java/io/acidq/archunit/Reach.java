package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A body that a listener may run, by way of others.
 *
 * @param way from the listener to the body
 */
record Reach(JavaCodeUnit unit, String way) {

    /** Their insides are not the application's: what is called of them is judged, not what they call. */
    private static final Pattern LIBRARIES = Pattern.compile(
            "(java|javax|jakarta|jdk|sun|kotlin|io\\.acidq|org\\.springframework|org\\.hibernate)\\..*");

    /** All bodies that the listener may run on its thread, itself first. */
    static List<Reach> of(JavaMethod listener) {
        List<Reach> reached = new ArrayList<>();
        Set<JavaCodeUnit> seen = new HashSet<>(Set.of(listener));
        Deque<Reach> next = new ArrayDeque<>(List.of(new Reach(listener, Calls.name(listener))));
        while (!next.isEmpty()) {
            Reach here = next.removeFirst();
            reached.add(here);
            Calls.from(here.unit).stream()
                    .flatMap(call -> Calls.bodies(call).stream())
                    .filter(body -> isFollowed(body) && seen.add(body))
                    .forEach(body -> next.addLast(new Reach(body, here.way + " -> " + Calls.name(body))));
        }
        return reached;
    }

    private static boolean isFollowed(JavaCodeUnit body) {
        return !LIBRARIES.matcher(body.getOwner().getName()).matches()
                && !(body instanceof JavaMethod method && Declared.isAsync(method));
    }
}
