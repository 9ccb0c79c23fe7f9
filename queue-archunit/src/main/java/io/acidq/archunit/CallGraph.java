package io.acidq.archunit;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Who calls whom among the imported classes. A method reference is a call; what a lambda does, the method around it does. */
final class CallGraph {

    /** Their insides are not the application's: what is called of them is judged, not what they call. */
    private static final Pattern LIBRARIES = Pattern.compile(
            "(java|javax|jakarta|jdk|sun|kotlin|io\\.acidq|org\\.springframework|org\\.hibernate)\\..*");

    private CallGraph() {}

    static List<JavaCodeUnitAccess<?>> from(JavaCodeUnit unit) {
        return Stream.<JavaCodeUnitAccess<?>>concat(
                        unit.getCallsFromSelf().stream(), unit.getCodeUnitReferencesFromSelf().stream())
                .toList();
    }

    /**
     * The bodies that a call may run: of an interface's method those of all its implementations. Whom a call of a library's type means, such
     * as {@code Runnable}, nobody can tell.
     */
    static List<? extends JavaCodeUnit> bodies(JavaCodeUnitAccess<?> call) {
        JavaCodeUnit called = called(call).orElse(null);
        return called instanceof JavaMethod method && !isOfLibrary(call.getTargetOwner())
                ? OverriddenMethods.withOverriding(method, call.getTargetOwner())
                : Stream.ofNullable(called).toList();
    }

    static Optional<? extends JavaCodeUnit> called(JavaCodeUnitAccess<?> call) {
        return ((CodeUnitAccessTarget) call.getTarget()).resolveMember();
    }

    static boolean isOfLibrary(JavaClass type) {
        return LIBRARIES.matcher(type.getName()).matches();
    }

    /** The calls that may run this body, those of the methods that it overrides among them. */
    static List<JavaCodeUnitAccess<?>> to(JavaCodeUnit unit) {
        Stream<? extends JavaCodeUnit> called =
                unit instanceof JavaMethod method ? OverriddenMethods.withOverridden(method).stream() : Stream.of(unit);
        return called.<JavaCodeUnitAccess<?>>flatMap(each -> each.getAccessesToSelf().stream()
                        .filter(JavaCodeUnitAccess.class::isInstance)
                        .map(access -> (JavaCodeUnitAccess<?>) access))
                .filter(call -> !call.getOrigin().getModifiers().contains(JavaModifier.BRIDGE))
                .toList();
    }

    /** Whether it runs when somebody else decides: in a lambda, or through a method reference. */
    static boolean isDeferred(JavaCodeUnitAccess<?> call) {
        return call.isDeclaredInLambda() || call instanceof JavaCodeUnitReference;
    }

    /** Whether one of these methods of the type, or of one below it, is called. */
    static boolean isOf(JavaCodeUnitAccess<?> call, String type, Set<String> methods) {
        return methods.contains(call.getTarget().getName())
                && call.getTargetOwner().isAssignableTo(type);
    }

    /** Whether one of these methods, by their types, is called. */
    static boolean isOf(JavaCodeUnitAccess<?> call, Map<String, Set<String>> methods) {
        return methods.entrySet().stream().anyMatch(each -> isOf(call, each.getKey(), each.getValue()));
    }

    /** Whether the body calls one of these methods. */
    static boolean anyFrom(JavaCodeUnit unit, Map<String, Set<String>> methods) {
        return from(unit).stream().anyMatch(call -> isOf(call, methods));
    }

    /** Short, for people: {@code Orders.place}. */
    static String name(JavaCodeUnit unit) {
        return simple(unit.getOwner()) + "." + unit.getName();
    }

    /** What is called, and where: {@code MessageQueue.enqueue (Orders.java:12)}. */
    static String name(JavaCodeUnitAccess<?> call) {
        return simple(call.getTargetOwner()) + "." + call.getTarget().getName() + " " + call.getSourceCodeLocation();
    }

    private static String simple(JavaClass type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
