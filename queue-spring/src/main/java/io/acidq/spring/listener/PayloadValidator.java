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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Validates payloads whose parameter has a validation annotation: {@code @Valid Order}, {@code @Valid Message<Order>}, {@code Message<@Valid Order>},
 * {@code @Valid List<Order>}, {@code List<@Valid Order>}, and {@code @Validated} in place of each. Thread-safe.
 */
final class PayloadValidator {

    private final @Nullable Validator validator;
    private final Map<MethodParameter, Optional<Object[]>> groups = new ConcurrentHashMap<>();

    PayloadValidator(@Nullable Validator validator) {
        this.validator = validator;
    }

    /** Fails if a parameter requires validation and there is no validator. */
    void check(MethodParameter parameter, String where) {
        if (validator == null && groups(parameter).isPresent()) {
            throw new QueueMisuseException(
                    "@QueueListener on " + where
                            + " requires validation of its payload, but there is not exactly one bean of type "
                            + Validator.class.getName()
                            + " (or one that is primary): add one, such as a LocalValidatorFactoryBean (in Boot: spring-boot-starter-validation)");
        }
    }

    /** Fails if the parameter requires validation and the payload is not valid. */
    void validate(MethodParameter parameter, Message<?> message) {
        Object[] groups = groups(parameter).orElse(null);
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

    private Optional<Object[]> groups(MethodParameter parameter) {
        return groups.computeIfAbsent(parameter, PayloadValidator::read);
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

    /** Collects the type and its type arguments at any depth. */
    private static void collect(AnnotatedType type, List<AnnotatedElement> places) {
        places.add(type);
        if (type instanceof AnnotatedParameterizedType parameterized) {
            for (AnnotatedType argument : parameterized.getAnnotatedActualTypeArguments()) {
                collect(argument, places);
            }
        }
    }

    /**
     * Spring's exception with a message without values of the payload, because it is written to logs and to the last error of dead letters. An error
     * handler finds the values in the binding result.
     */
    private static final class InvalidPayloadException extends MethodArgumentNotValidException {

        private static final long serialVersionUID = 1L;
        private static final Pattern MAP_KEY = Pattern.compile("\\[(?!\\d+])[^\\[]*]");

        private final String text;

        InvalidPayloadException(Message<?> message, MethodParameter parameter, BindingResult result) {
            super(message, parameter, result);
            this.text = "the payload is not valid: "
                    + result.getAllErrors().stream()
                            .map(InvalidPayloadException::describe)
                            .collect(Collectors.joining(", "));
        }

        /** Returns the name of the constraint and the field. */
        private static String describe(ObjectError error) {
            String place = error instanceof FieldError field
                    ? MAP_KEY.matcher(field.getField()).replaceAll("[…]")
                    : error.getObjectName();
            return error.getCode() + " at " + place;
        }

        @Override
        public String getMessage() {
            return text;
        }

        /** The superclass would add the message, with its payload. */
        @Override
        public String toString() {
            return MethodArgumentNotValidException.class.getName() + ": " + text;
        }
    }
}
