package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.domain.JavaWildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The static types of payloads, out of what they are wrapped in. */
final class PayloadTypes {

    private static final String PAYLOAD = "org.springframework.messaging.handler.annotation.Payload";
    private static final Set<String> NO_PAYLOAD = Set.of(
            "org.springframework.messaging.handler.annotation.Header",
            "org.springframework.messaging.handler.annotation.Headers");
    private static final Set<String> ARGUMENTS =
            Set.of("io.acidq.Delivery", "org.springframework.messaging.MessageHeaders");
    private static final List<String> WRAPPERS = List.of(
            "java.util.Optional",
            "java.lang.Iterable",
            "java.util.stream.BaseStream",
            "java.util.concurrent.CompletionStage",
            "org.springframework.messaging.Message");
    private static final String TEMPLATE = "io.acidq.spring.QueueTemplate";

    private PayloadTypes() {}

    /** Of a listener: the parameter with {@code @Payload}, else the one that is nothing else. */
    static List<JavaClass> of(JavaMethod listener) {
        List<JavaParameter> marked = listener.getParameters().stream()
                .filter(parameter -> parameter.isAnnotatedWith(PAYLOAD))
                .toList();
        List<JavaParameter> payloads = marked.isEmpty()
                ? listener.getParameters().stream()
                        .filter(PayloadTypes::isPayload)
                        .toList()
                : marked;
        return payloads.stream()
                .flatMap(parameter -> inner(parameter.getType(), listener.getOwner()).stream())
                .filter(type -> !ARGUMENTS.contains(type.getName()))
                .toList();
    }

    /** What a method with {@code @Publish} returns, where that is the payload. */
    static List<JavaClass> returned(JavaMethod method) {
        boolean isReturned = PublishingMethods.annotationsOf(method).stream()
                .anyMatch(foundAnnotation -> foundAnnotation.text("payload").isEmpty());
        return isReturned && !method.getRawReturnType().getName().equals("void")
                ? inner(method.getReturnType(), method.getOwner())
                : List.of();
    }

    /** What a field that is a typed template takes. */
    static List<JavaClass> of(JavaField template) {
        return template.getRawType().getName().equals(TEMPLATE)
                        && template.getType() instanceof JavaParameterizedType parameterized
                ? inner(parameterized.getActualTypeArguments().get(0), template.getOwner())
                : List.of();
    }

    private static boolean isPayload(JavaParameter parameter) {
        return NO_PAYLOAD.stream().noneMatch(parameter::isAnnotatedWith);
    }

    private static List<JavaClass> inner(JavaType type, JavaClass owner) {
        if (type instanceof JavaWildcardType wildcard) {
            return wildcard.getUpperBounds().stream()
                    .flatMap(bound -> inner(bound, owner).stream())
                    .toList();
        }
        if (type instanceof JavaTypeVariable<?> variable) {
            return variable.getOwner() instanceof JavaClass
                    ? arguments(variable, owner)
                    : variable.getUpperBounds().stream()
                            .map(JavaType::toErasure)
                            .toList();
        }
        JavaClass raw = type.toErasure();
        if (type instanceof JavaParameterizedType parameterized
                && WRAPPERS.stream().anyMatch(raw::isAssignableTo)) {
            return inner(parameterized.getActualTypeArguments().get(0), owner);
        }
        return List.of(raw.isArray() ? raw.getBaseComponentType() : raw);
    }

    /** What the subclasses of a generic class put in the place of its type variable; nothing where they do not say. */
    private static List<JavaClass> arguments(JavaTypeVariable<?> variable, JavaClass owner) {
        List<JavaClass> arguments = new ArrayList<>();
        int place = owner.getTypeParameters().indexOf(variable);
        for (JavaClass subclass : owner.getSubclasses()) {
            Stream.concat(subclass.getSuperclass().stream(), subclass.getInterfaces().stream())
                    .filter(above -> place >= 0 && above.toErasure().equals(owner))
                    .flatMap(above -> argument(above, place).stream())
                    .forEach(argument -> arguments.addAll(inner(argument, subclass)));
        }
        return arguments;
    }

    private static Optional<JavaType> argument(JavaType type, int place) {
        return type instanceof JavaParameterizedType parameterized
                ? Optional.of(parameterized.getActualTypeArguments().get(place))
                : Optional.empty();
    }
}
