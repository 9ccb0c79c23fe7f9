package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Validates payloads whose parameter asks for it: {@code @Valid Order}, {@code @Valid Message<Order>}, {@code Message<@Valid Order>},
 * {@code @Valid List<Order>}, {@code List<@Valid Order>}, and {@code @Validated} in place of each. Thread-safe.
 */
final class PayloadValidator {

    private final @Nullable Validator validator;
    private final Map<MethodParameter, Optional<Object[]>> hints = new ConcurrentHashMap<>();

    PayloadValidator(@Nullable Validator validator) {
        this.validator = validator;
    }

    /** Fails when a parameter asks for validation and there is no validator. */
    void check(MethodParameter parameter, String where) {
        if (validator == null && hints(parameter).isPresent()) {
            throw new QueueMisuseException(
                    "@QueueListener on " + where
                            + " asks for validation of its payload, but there is not exactly one bean of type "
                            + Validator.class.getName()
                            + " (or one that is primary): add one, such as a LocalValidatorFactoryBean (in Boot: spring-boot-starter-validation)");
        }
    }

    /** Fails when the parameter asks for validation and the payload is not valid. */
    void validate(MethodParameter parameter, Message<?> message) {
        Object[] groups = hints(parameter).orElse(null);
        if (groups == null || validator == null) {
            return;
        }
        Object payload = message.getPayload();
        BeanPropertyBindingResult result = new BeanPropertyBindingResult(payload, "payload");
        if (groups.length > 0 && validator instanceof SmartValidator smart) {
            smart.validate(payload, result, groups);
        } else {
            validator.validate(payload, result);
        }
        if (result.hasErrors()) {
            throw new InvalidPayloadException(message, parameter, result);
        }
    }

    private Optional<Object[]> hints(MethodParameter parameter) {
        return hints.computeIfAbsent(parameter, PayloadValidator::read);
    }

    private static Optional<Object[]> read(MethodParameter parameter) {
        List<AnnotatedElement> places = new ArrayList<>();
        places.add(parameter.getParameter());
        collect(parameter.getParameter().getAnnotatedType(), places);
        for (AnnotatedElement place : places) {
            for (Annotation annotation : place.getAnnotations()) {
                Object[] found = ValidationAnnotationUtils.determineValidationHints(annotation);
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    /** The type and its type arguments, such as Order in a list of messages of them. */
    private static void collect(AnnotatedType type, List<AnnotatedElement> places) {
        places.add(type);
        if (type instanceof AnnotatedParameterizedType parameterized) {
            for (AnnotatedType argument : parameterized.getAnnotatedActualTypeArguments()) {
                collect(argument, places);
            }
        }
    }
}
