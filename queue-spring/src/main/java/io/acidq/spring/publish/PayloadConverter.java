package io.acidq.spring.publish;

import io.acidq.MessageRejectedException;
import io.acidq.codec.MessageType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a value into payloads: the value itself, the content of an {@code Optional}, or each element of a collection or of an array of
 * objects.
 */
final class PayloadConverter {

    private static final String REACTIVE = "org.reactivestreams.Publisher";

    private PayloadConverter() {}

    /** Returns the payloads, none of them null. */
    static List<Object> toPayloads(@Nullable Object published) {
        Object value = published instanceof Optional<?> optional ? optional.orElse(null) : published;
        if (value == null) {
            return List.of();
        }
        if (isNamed(value.getClass()) || !hasElements(value.getClass())) {
            return List.of(checked(value));
        }
        Collection<?> elements = value instanceof Collection<?> c ? c : Arrays.asList((Object[]) value);
        return elements.stream()
                .filter(Objects::nonNull)
                .map(PayloadConverter::element)
                .toList();
    }

    /** Returns why no value of this type can be published; empty if the type is acceptable. */
    static Optional<String> problem(Class<?> type) {
        if (isNamed(type)) {
            return Optional.empty();
        }
        if (isAsynchronous(type)) {
            return Optional.of("has its value only after the transaction has ended: return the value itself");
        }
        return BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)
                ? Optional.of("can be read only once, and by no listener: use a list, each element of which becomes a"
                        + " message, or a record that contains it")
                : Optional.empty();
    }

    /**
     * Returns whether the work of a method begins only when its return value is used, or continues after the method has returned: the method is
     * reactive, a suspend function of Kotlin, or returns a task. A future is not among these: its work has begun, and can be unrelated to the payload.
     */
    static boolean isDeferred(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return isReactive(method.getReturnType())
                || Callable.class.isAssignableFrom(method.getReturnType())
                || (parameters.length > 0
                        && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation"));
    }

    private static Object checked(Object payload) {
        problem(payload.getClass()).ifPresent(problem -> {
            throw new MessageRejectedException(
                    "the payload, a " + payload.getClass().getName() + ", " + problem);
        });
        return payload;
    }

    private static Object element(Object element) {
        if (hasElements(element.getClass()) && !isNamed(element.getClass())) {
            throw new MessageRejectedException(
                    "an element of the payload is a " + element.getClass().getName()
                            + ", which has elements itself: use one flat list, or records that contain the inner lists");
        }
        return checked(element);
    }

    /** Returns whether each element is a payload. An array of primitives is one payload. */
    private static boolean hasElements(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Object[].class.isAssignableFrom(type);
    }

    private static boolean isNamed(Class<?> type) {
        return type.isAnnotationPresent(MessageType.class);
    }

    private static boolean isAsynchronous(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type) || isReactive(type);
    }

    /** Compares names, because the interface of Reactive Streams is not a dependency. */
    private static boolean isReactive(@Nullable Class<?> type) {
        return type != null
                && (type == Flow.Publisher.class
                        || type.getName().equals(REACTIVE)
                        || isReactive(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(PayloadConverter::isReactive));
    }
}
