package io.acidq.spring.listener;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/**
 * Spring's exception with a text that holds no value of the payload: it goes into logs and into the last errors of dead letters. Error handlers
 * find the values in its binding result.
 */
final class InvalidPayloadException extends MethodArgumentNotValidException {

    private static final long serialVersionUID = 1L;
    private static final Pattern KEY_OF_A_MAP = Pattern.compile("\\[(?!\\d+])[^\\[]*]");

    private final String text;

    InvalidPayloadException(Message<?> message, MethodParameter parameter, BindingResult result) {
        super(message, parameter, result);
        this.text = "the payload is not valid: "
                + result.getAllErrors().stream()
                        .map(InvalidPayloadException::inWords)
                        .collect(Collectors.joining(", "));
    }

    /** The name of the constraint, and where it failed. */
    private static String inWords(ObjectError error) {
        String place = error instanceof FieldError field
                ? KEY_OF_A_MAP.matcher(field.getField()).replaceAll("[…]")
                : error.getObjectName();
        return error.getCode() + " at " + place;
    }

    @Override
    public String getMessage() {
        return text;
    }

    /** That of Spring shows the message. */
    @Override
    public String toString() {
        return MethodArgumentNotValidException.class.getName() + ": " + text;
    }
}
