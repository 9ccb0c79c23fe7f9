package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds overridden and overriding methods, also if type arguments make the erased parameters differ. */
final class OverriddenMethods {

    private OverriddenMethods() {}

    /** Returns the method, then the methods of superclasses and interfaces that it overrides. */
    static List<JavaMethod> withOverridden(JavaMethod method) {
        Stream<JavaMethod> overridden = Stream.concat(
                        method.getOwner().getAllRawSuperclasses().stream(),
                        method.getOwner().getAllRawInterfaces().stream())
                .flatMap(type -> type.getMethods().stream())
                .filter(other -> overrides(method, other));
        return Stream.concat(Stream.of(method), overridden).toList();
    }

    /** Returns the method, unless it is abstract, then the methods of subclasses and implementations that override it. */
    static List<JavaMethod> withOverriding(JavaMethod method) {
        return withOverriding(method, method.getOwner());
    }

    /** Returns the methods that a call on an object of this type, the method's class or a subtype, can run. */
    static List<JavaMethod> withOverriding(JavaMethod method, JavaClass type) {
        Stream<JavaMethod> overriding = Stream.concat(Stream.of(type), type.getAllSubclasses().stream())
                .flatMap(each -> each.getMethods().stream())
                .filter(lower -> overrides(lower, method));
        return Stream.concat(Stream.of(method), overriding)
                .filter(each -> !hasNoBody(each))
                .distinct()
                .toList();
    }

    /** Returns the interfaces of the method's class that declare or inherit the method. */
    static Stream<JavaClass> interfacesWith(JavaMethod method) {
        return method.getOwner().getAllRawInterfaces().stream()
                .filter(type -> type.getAllMethods().stream().anyMatch(other -> overrides(method, other)));
    }

    /** Whether the search for bodies ends here: the method has a body, or no imported class implements it, as with a MyBatis mapper. */
    static boolean endsSearch(JavaMethod method) {
        return !hasNoBody(method)
                || (method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && withOverriding(method).isEmpty());
    }

    /** Whether the method is abstract, or a bridge to the method with the body. */
    static boolean hasNoBody(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.ABSTRACT)
                || method.getModifiers().contains(JavaModifier.BRIDGE);
    }

    private static boolean overrides(JavaMethod lower, JavaMethod upper) {
        return lower.getName().equals(upper.getName())
                && isInherited(lower)
                && isInherited(upper)
                && acceptsSameParameters(lower.getRawParameterTypes(), upper.getRawParameterTypes());
    }

    private static boolean isInherited(JavaMethod method) {
        return !method.getModifiers().contains(JavaModifier.PRIVATE)
                && !method.getModifiers().contains(JavaModifier.STATIC);
    }

    private static boolean acceptsSameParameters(List<JavaClass> own, List<JavaClass> others) {
        return own.size() == others.size()
                && IntStream.range(0, own.size())
                        .allMatch(i -> own.get(i).isAssignableTo(others.get(i).getName())
                                || others.get(i).isEquivalentTo(Object.class));
    }
}
