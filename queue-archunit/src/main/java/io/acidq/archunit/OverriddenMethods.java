package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which methods override which, also where type arguments make their erased parameters differ. */
final class OverriddenMethods {

    private OverriddenMethods() {}

    /** The method, then those of superclasses and interfaces that it overrides. */
    static List<JavaMethod> withOverridden(JavaMethod method) {
        Stream<JavaMethod> above = Stream.concat(
                        method.getOwner().getAllRawSuperclasses().stream(),
                        method.getOwner().getAllRawInterfaces().stream())
                .flatMap(type -> type.getMethods().stream())
                .filter(other -> overrides(method, other));
        return Stream.concat(Stream.of(method), above).toList();
    }

    /** The method, unless it is abstract, then those of subclasses and implementations that override it. */
    static List<JavaMethod> withOverriding(JavaMethod method) {
        return withOverriding(method, method.getOwner());
    }

    /** The same for an object that is of this type, the method's own or one below it. */
    static List<JavaMethod> withOverriding(JavaMethod method, JavaClass type) {
        Stream<JavaMethod> below = Stream.concat(Stream.of(type), type.getAllSubclasses().stream())
                .flatMap(each -> each.getMethods().stream())
                .filter(lower -> overrides(lower, method));
        return Stream.concat(Stream.of(method), below)
                .filter(each -> !isOnlySigned(each))
                .distinct()
                .toList();
    }

    /** The interfaces of its class that have the method, their own or inherited. */
    static Stream<JavaClass> interfacesWith(JavaMethod method) {
        return method.getOwner().getAllRawInterfaces().stream()
                .filter(type -> type.getAllMethods().stream().anyMatch(other -> overrides(method, other)));
    }

    /** Whether it is what runs, as far as the imported classes tell: it has a body, or nobody implements it, as with mappers. */
    static boolean isLast(JavaMethod method) {
        return !isOnlySigned(method)
                || (method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && withOverriding(method).isEmpty());
    }

    /** Whether it has no body of its own: abstract, or a bridge to the method that has. */
    static boolean isOnlySigned(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.ABSTRACT)
                || method.getModifiers().contains(JavaModifier.BRIDGE);
    }

    private static boolean overrides(JavaMethod lower, JavaMethod upper) {
        return lower.getName().equals(upper.getName())
                && isInherited(lower)
                && isInherited(upper)
                && takes(lower.getRawParameterTypes(), upper.getRawParameterTypes());
    }

    private static boolean isInherited(JavaMethod method) {
        return !method.getModifiers().contains(JavaModifier.PRIVATE)
                && !method.getModifiers().contains(JavaModifier.STATIC);
    }

    private static boolean takes(List<JavaClass> own, List<JavaClass> others) {
        return own.size() == others.size()
                && IntStream.range(0, own.size())
                        .allMatch(i -> own.get(i).isAssignableTo(others.get(i).getName())
                                || others.get(i).isEquivalentTo(Object.class));
    }
}
