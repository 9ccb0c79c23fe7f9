package io.acidq.archunit;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Who calls whom among the imported classes. A method reference is a call; what a lambda does, the method around it does. */
final class Calls {

    private Calls() {}

    static List<JavaCodeUnitAccess<?>> from(JavaCodeUnit unit) {
        return Stream.<JavaCodeUnitAccess<?>>concat(
                        unit.getCallsFromSelf().stream(), unit.getCodeUnitReferencesFromSelf().stream())
                .toList();
    }

    /** The bodies that a call may run: of an interface's method those of all its implementations. */
    static List<? extends JavaCodeUnit> bodies(JavaCodeUnitAccess<?> call) {
        JavaCodeUnit called =
                ((CodeUnitAccessTarget) call.getTarget()).resolveMember().orElse(null);
        return called instanceof JavaMethod method
                ? Overriding.withOverriding(method)
                : Stream.ofNullable(called).toList();
    }

    /** The calls that may run this body, those of the methods that it overrides among them. */
    static List<JavaCodeUnitAccess<?>> to(JavaCodeUnit unit) {
        Stream<? extends JavaCodeUnit> called =
                unit instanceof JavaMethod method ? Overriding.withOverridden(method).stream() : Stream.of(unit);
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
