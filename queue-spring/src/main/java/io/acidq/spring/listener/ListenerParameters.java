package io.acidq.spring.listener;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.spring.expression.ExpressionVariables;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.ClassUtils;

/**
 * The parameters and the return type of a listener method. Each error message names the problem and the correction.
 *
 * @param listener the method
 * @param batch    whether it takes several messages at once
 */
record ListenerParameters(AnnotatedMethod listener, boolean batch) {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** Checks the declaration, and returns the class as which payloads are decoded. */
    Class<?> payloadType() {
        checkReturn();
        listener.parameters().forEach(this::check);
        List<MethodParameter> payloads = payloads();
        check(
                !payloads.isEmpty(),
                "has no parameter for the payload: add one of " + (batch ? "a list of " : "") + "the payload's class");
        List<? extends Class<?>> types =
                payloads.stream().map(this::payloadType).distinct().toList();
        check(
                types.size() == 1 && (batch || payloads.size() == 1),
                "has " + payloads.size()
                        + " parameters that could be the payload: mark one @Payload, the others"
                        + " @Header(\"name\"), @Headers Map<String, String> or of type Delivery");
        return types.get(0);
    }

    /** Returns the variables of the condition. One of them is ambiguous if a parameter of its name has another content. */
    ExpressionVariables conditionVariables() {
        ExpressionVariables variables = ExpressionVariables.of("payload", "headers", "delivery");
        Set<String> ambiguous = new HashSet<>();
        for (MethodParameter parameter : listener.parameters()) {
            parameter.initParameterNameDiscovery(ExpressionVariables.PARAMETER_NAMES);
            String name = String.valueOf(parameter.getParameterName());
            boolean isSame = !variables.names().contains(name)
                    || switch (name) {
                        case "payload" -> !isNoPayload(parameter) && content(parameter) != Message.class;
                        case "headers" -> parameter.hasParameterAnnotation(Headers.class);
                        case "delivery" -> content(parameter) == Delivery.class;
                        default -> false; // the message's payload is the root object
                    };
            if (!isSame) {
                ambiguous.add(name);
            }
        }
        return new ExpressionVariables(variables.names(), ambiguous, variables.advice());
    }

    private Class<?> payloadType(MethodParameter parameter) {
        ResolvableType type = ResolvableType.forMethodParameter(parameter);
        if (batch) {
            check(
                    type.toClass() == List.class,
                    "is a batch listener and takes " + type.toClass().getSimpleName()
                            + ": take a List of payloads, of Delivery or of Message<…>");
            type = type.getGeneric(0);
        }
        if (type.toClass() == Message.class) {
            type = type.getGeneric(0);
        }
        String written = type.getType().getTypeName();
        check(
                type.resolve() != null || !(type.getType() instanceof TypeVariable),
                "takes " + written + ", and " + listener.type().getSimpleName()
                        + " does not say of which class that is: extend it as in class Orders extends "
                        + listener.method().getDeclaringClass().getSimpleName()
                        + "<Order>, or write the class in place of " + written);
        check(
                type.resolve() != null,
                "does not say of which class its payloads are: write it between the brackets, as in Message<Order> or List<Order>");
        check(
                !type.hasGenerics() || isMapOfObjects(type),
                "takes a payload with type parameters, which no codec can read: wrap it in a record of its own"
                        + (Map.class.isAssignableFrom(type.toClass()) ? ", or take Map<String, Object>" : "")
                        + (type.toClass() == List.class ? ", or set batch = \"true\" to take several messages" : ""));
        return ClassUtils.resolvePrimitiveIfNecessary(type.toClass());
    }

    /** Returns whether the payload is a JSON object with values of any type. */
    private static boolean isMapOfObjects(ResolvableType type) {
        return Map.class.isAssignableFrom(type.toClass())
                && type.asMap().getGeneric(0).toClass() == String.class
                && type.asMap().getGeneric(1).toClass() == Object.class;
    }

    private void checkReturn() {
        Method method = listener.method();
        ResolvableType returned = ResolvableType.forMethodReturnType(method, listener.type());
        String name = method.getReturnType().getSimpleName();
        check(
                !batch
                        || method.getReturnType() == void.class
                        || returned.as(List.class).getGeneric(0).toClass() == Outcome.class,
                "returns " + name + ": return void or a List<Outcome> when the work is done");
        Class<?>[] parameters = method.getParameterTypes();
        check(
                parameters.length == 0
                        || !parameters[parameters.length - 1].getName().equals(CONTINUATION),
                "is a suspend function, whose work may not be done when it returns: make it a plain function");
        check(
                !Future.class.isAssignableFrom(returned.toClass())
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned.toClass()) == null,
                "returns " + name
                        + ", whose work may not be done yet: wait for it, and return void, an Outcome or the result");
        String refusal = ListenerAdvice.refusal(listener);
        check(refusal == null, String.valueOf(refusal));
    }

    private void check(MethodParameter parameter) {
        Payload marked = parameter.getParameterAnnotation(Payload.class);
        check(
                marked == null || marked.expression().isEmpty(),
                "has a @Payload with an expression: take the whole payload and read from it in the method");
        boolean header =
                parameter.hasParameterAnnotation(Header.class) || parameter.hasParameterAnnotation(Headers.class);
        check(
                !batch || !header,
                "is a batch listener and takes a header, of which each message has its own: take List<Delivery> or"
                        + " List<Message<…>>");
        check(
                !parameter.hasParameterAnnotation(Headers.class) || parameter.getParameterType() == Map.class,
                "takes @Headers as " + parameter.getParameterType().getSimpleName() + ": declare Map<String, String>");
    }

    private List<MethodParameter> payloads() {
        List<MethodParameter> marked = listener.parameters().stream()
                .filter(p -> p.hasParameterAnnotation(Payload.class))
                .toList();
        return marked.isEmpty() || batch
                ? listener.parameters().stream().filter(p -> !isNoPayload(p)).toList()
                : marked;
    }

    private boolean isNoPayload(MethodParameter parameter) {
        return content(parameter) == Delivery.class
                || parameter.hasParameterAnnotation(Header.class)
                || parameter.hasParameterAnnotation(Headers.class);
    }

    /** Returns the class of the parameter, or of the elements of a batch. */
    private Class<?> content(MethodParameter parameter) {
        ResolvableType type = ResolvableType.forMethodParameter(parameter);
        return (batch && type.toClass() == List.class ? type.getGeneric(0) : type).toClass();
    }

    private static void check(boolean holds, String why) {
        if (!holds) {
            throw new QueueMisuseException(why);
        }
    }
}
