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

/** The calls between imported classes. A method reference counts as a call. A call in a lambda counts as a call of the enclosing method. */
final class CallGraph {

    /** Packages of libraries. The rules check calls of them, but do not follow the calls that they make. */
    private static final Pattern LIBRARIES = Pattern.compile(
            "(java|javax|jakarta|jdk|sun|kotlin|io\\.acidq|org\\.springframework|org\\.hibernate)\\..*");

    private CallGraph() {}

    static List<JavaCodeUnitAccess<?>> from(JavaCodeUnit unit) {
        return Stream.<JavaCodeUnitAccess<?>>concat(
                        unit.getCallsFromSelf().stream(), unit.getCodeUnitReferencesFromSelf().stream())
                .toList();
    }

    /**
     * Returns the bodies that a call can run. For a method of an interface, these are the bodies of all implementations. The target of a call of a
     * library's type, such as {@code Runnable}, is unknown.
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

    /** Returns the calls that can run this body, including calls of the methods that it overrides. */
    static List<JavaCodeUnitAccess<?>> to(JavaCodeUnit unit) {
        Stream<? extends JavaCodeUnit> called =
                unit instanceof JavaMethod method ? OverriddenMethods.withOverridden(method).stream() : Stream.of(unit);
        return called.<JavaCodeUnitAccess<?>>flatMap(each -> each.getAccessesToSelf().stream()
                        .filter(JavaCodeUnitAccess.class::isInstance)
                        .map(access -> (JavaCodeUnitAccess<?>) access))
                .filter(call -> !call.getOrigin().getModifiers().contains(JavaModifier.BRIDGE))
                .toList();
    }

    /** Whether the call is in a lambda or is a method reference, so that other code decides when and where it runs. */
    static boolean isDeferred(JavaCodeUnitAccess<?> call) {
        return call.isDeclaredInLambda() || call instanceof JavaCodeUnitReference;
    }

    /** Whether the call is of one of these methods of the type or a subtype. */
    static boolean isOf(JavaCodeUnitAccess<?> call, String type, Set<String> methods) {
        return methods.contains(call.getTarget().getName())
                && call.getTargetOwner().isAssignableTo(type);
    }

    /** Whether the call is one of these methods. The map has the names of the methods by the name of their type. */
    static boolean isOf(JavaCodeUnitAccess<?> call, Map<String, Set<String>> methods) {
        return methods.entrySet().stream().anyMatch(each -> isOf(call, each.getKey(), each.getValue()));
    }

    /** Whether the body calls one of these methods. */
    static boolean anyFrom(JavaCodeUnit unit, Map<String, Set<String>> methods) {
        return from(unit).stream().anyMatch(call -> isOf(call, methods));
    }

    /** Returns the short name for messages: {@code Orders.place}. */
    static String name(JavaCodeUnit unit) {
        return simple(unit.getOwner()) + "." + unit.getName();
    }

    /** Returns the called method and the place of the call: {@code MessageQueue.enqueue (Orders.java:12)}. */
    static String name(JavaCodeUnitAccess<?> call) {
        return simple(call.getTargetOwner()) + "." + call.getTarget().getName() + " " + call.getSourceCodeLocation();
    }

    private static String simple(JavaClass type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
