package io.acidq.spring.publish;

import io.acidq.MessageRejectedException;
import io.acidq.codec.MessageType;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts what a method returned into payloads: itself, the content of an {@code Optional}, or each element of a collection or an array of
 * objects.
 */
final class PayloadConverter {

    private static final String REACTIVE = "org.reactivestreams.Publisher";

    private PayloadConverter() {}

    /** The payloads, none of them null. */
    static List<Object> toPayloads(@Nullable Object published) {
        Object value = published instanceof Optional<?> optional ? optional.orElse(null) : published;
        if (value == null) {
            return List.of();
        }
        if (isNamed(value.getClass()) || !isSeveral(value.getClass())) {
            return List.of(checked(value));
        }
        Collection<?> elements = value instanceof Collection<?> c ? c : Arrays.asList((Object[]) value);
        return elements.stream()
                .filter(Objects::nonNull)
                .map(PayloadConverter::element)
                .toList();
    }

    /** Why no value of this type can be published; empty when the type is no obstacle. */
    static Optional<String> problem(Class<?> type) {
        if (isNamed(type)) {
            return Optional.empty();
        }
        if (isLater(type)) {
            return Optional.of("is a result of later, after the transaction has ended: give the result itself");
        }
        boolean unreadable = Map.class.isAssignableFrom(type)
                || BaseStream.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type);
        return unreadable
                ? Optional.of(
                        "would be stored under the name of whatever class it has, for no listener to read: give a record that"
                                + " holds it, or a list, of which each element becomes a message")
                : Optional.empty();
    }

    private static Object checked(Object payload) {
        problem(payload.getClass()).ifPresent(why -> {
            throw new MessageRejectedException(
                    "the payload, a " + payload.getClass().getName() + ", " + why);
        });
        return payload;
    }

    private static Object element(Object element) {
        if (isSeveral(element.getClass()) && !isNamed(element.getClass())) {
            throw new MessageRejectedException(
                    "an element of the payload is a " + element.getClass().getName()
                            + ", which has elements itself: give one flat list, or records that hold the inner ones");
        }
        return checked(element);
    }

    /** An array of primitives is one payload. */
    private static boolean isSeveral(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Object[].class.isAssignableFrom(type);
    }

    private static boolean isNamed(Class<?> type) {
        return type.isAnnotationPresent(MessageType.class);
    }

    private static boolean isLater(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || isReactive(type);
    }

    /** By name: the interface is not a dependency. */
    private static boolean isReactive(@Nullable Class<?> type) {
        return type != null
                && (type.getName().equals(REACTIVE)
                        || isReactive(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(PayloadConverter::isReactive));
    }
}
