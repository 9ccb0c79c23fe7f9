package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.domain.JavaWildcardType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks that the declared type of each payload cannot have subclasses, so that the written type is the declared type. */
final class FinalPayloadTypes extends ArchCondition<JavaClass> {

    FinalPayloadTypes() {
        super("use records or final classes as payloads");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        ListenerMethods.in(type)
                .forEach(listener -> check(
                        type,
                        events,
                        "the listener " + CallGraph.name(listener) + " takes",
                        DeclaredPayloadTypes.of(listener)));
        PublishingMethods.methodsIn(type)
                .forEach(method -> check(
                        type, events, CallGraph.name(method) + " publishes", DeclaredPayloadTypes.returned(method)));
        if (AnnotationFinder.on(type, AnnotationFinder.EVENT).stream()
                .anyMatch(foundAnnotation -> foundAnnotation.text("payload").isEmpty())) {
            check(type, events, "an event publishes", List.of(type));
        }
        type.getFields()
                .forEach(field -> check(
                        type,
                        events,
                        "the template " + field.getFullName() + " takes",
                        DeclaredPayloadTypes.of(field)));
    }

    private static void check(JavaClass type, ConditionEvents events, String use, List<JavaClass> payloads) {
        payloads.stream()
                .filter(payload -> !cannotBeExtended(payload))
                .forEach(
                        payload -> events.add(
                                SimpleConditionEvent.violated(
                                        type,
                                        use + " a " + payload.getName()
                                                + ", which can have subclasses: make it a record, a final class, or a sealed type of these")));
    }

    private static boolean cannotBeExtended(JavaClass payload) {
        Set<JavaModifier> modifiers = payload.getModifiers();
        return payload.isPrimitive()
                || payload.isRecord()
                || payload.isEnum()
                || modifiers.contains(JavaModifier.FINAL)
                || payload.getPackageName().equals("java.math")
                || payload.getPermittedSubclasses()
                        .filter(permitted -> permitted.stream().allMatch(FinalPayloadTypes::cannotBeExtended))
                        .isPresent();
    }

    /** Determines the static types of payloads, without wrappers such as {@code Optional}. */
    private static final class DeclaredPayloadTypes {

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

        private DeclaredPayloadTypes() {}

        /**
         * Returns the payload types of a listener: the type of the parameter with {@code @Payload}; without one, the types of all parameters that AcidQ does not fill
         * otherwise (a header, the delivery).
         */
        static List<JavaClass> of(JavaMethod listener) {
            List<JavaParameter> marked = listener.getParameters().stream()
                    .filter(parameter -> parameter.isAnnotatedWith(PAYLOAD))
                    .toList();
            List<JavaParameter> payloads = marked.isEmpty()
                    ? listener.getParameters().stream()
                            .filter(DeclaredPayloadTypes::isPayload)
                            .toList()
                    : marked;
            return payloads.stream()
                    .flatMap(parameter -> inner(parameter.getType(), listener.getOwner()).stream())
                    .filter(type -> !ARGUMENTS.contains(type.getName()))
                    .toList();
        }

        /** Returns the payload types of a method with {@code @Publish} that publishes its result. */
        static List<JavaClass> returned(JavaMethod method) {
            boolean isReturned = PublishingMethods.annotationsOf(method).stream()
                    .anyMatch(foundAnnotation -> foundAnnotation.text("payload").isEmpty());
            return isReturned && !method.getRawReturnType().getName().equals("void")
                    ? inner(method.getReturnType(), method.getOwner())
                    : List.of();
        }

        /** Returns the payload types of a field that is a typed template. */
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

        /** Returns the type arguments that subclasses of a generic class give for its type variable. */
        private static List<JavaClass> arguments(JavaTypeVariable<?> variable, JavaClass owner) {
            List<JavaClass> arguments = new ArrayList<>();
            int index = owner.getTypeParameters().indexOf(variable);
            for (JavaClass subclass : owner.getSubclasses()) {
                Stream.concat(subclass.getSuperclass().stream(), subclass.getInterfaces().stream())
                        .filter(above -> index >= 0 && above.toErasure().equals(owner))
                        .flatMap(above -> argument(above, index).stream())
                        .forEach(argument -> arguments.addAll(inner(argument, subclass)));
            }
            return arguments;
        }

        private static Optional<JavaType> argument(JavaType type, int index) {
            return type instanceof JavaParameterizedType parameterized
                    ? Optional.of(parameterized.getActualTypeArguments().get(index))
                    : Optional.empty();
        }
    }
}
