package io.acidq.spring;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.SynthesizingMethodParameter;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.ClassUtils;

/**
 * A method with {@link QueueListener}, its declaration checked.
 *
 * @param beanName   the bean that it belongs to
 * @param method     the method
 * @param annotation what is written on it
 */
record ListenerMethod(String beanName, Method method, QueueListener annotation) {

    ListenerMethod {
        check(
                method.getReturnType() == void.class || Outcome.class.isAssignableFrom(method.getReturnType()),
                beanName,
                method,
                "returns " + method.getReturnType().getSimpleName() + ": return void or an Outcome");
        List<MethodParameter> payloads = payloads(method);
        check(
                payloads.size() == 1,
                beanName,
                method,
                payloads.isEmpty()
                        ? "has no parameter for the payload: add one of the payload's class"
                        : "has " + payloads.size()
                                + " parameters that could be the payload: mark one @Payload, the others"
                                + " @Header(\"name\"), @Headers Map<String, String> or of type Delivery");
        check(
                !ResolvableType.forMethodParameter(method, payloads.get(0).getParameterIndex())
                        .hasGenerics(),
                beanName,
                method,
                "takes a payload with type parameters, which no codec can read: wrap it in a record of its own");
        for (MethodParameter parameter : parameters(method)) {
            Payload marked = parameter.getParameterAnnotation(Payload.class);
            check(
                    marked == null || marked.expression().isEmpty(),
                    beanName,
                    method,
                    "has a @Payload with an expression: take the whole payload and read from it in the method");
            check(
                    !parameter.hasParameterAnnotation(Headers.class) || parameter.getParameterType() == Map.class,
                    beanName,
                    method,
                    "takes @Headers as " + parameter.getParameterType().getSimpleName()
                            + ": declare Map<String, String>");
        }
    }

    /** What the payload is to be read as. */
    Class<?> payloadType() {
        return ClassUtils.resolvePrimitiveIfNecessary(payloads(method).get(0).getParameterType());
    }

    /** The method and its bean in words for messages. */
    String where() {
        return where(beanName, method);
    }

    private static List<MethodParameter> payloads(Method method) {
        List<MethodParameter> marked = parameters(method).stream()
                .filter(p -> p.hasParameterAnnotation(Payload.class))
                .toList();
        return marked.isEmpty()
                ? parameters(method).stream().filter(p -> !isClaimed(p)).toList()
                : marked;
    }

    private static boolean isClaimed(MethodParameter parameter) {
        return parameter.getParameterType() == Delivery.class
                || parameter.hasParameterAnnotation(Header.class)
                || parameter.hasParameterAnnotation(Headers.class);
    }

    private static List<MethodParameter> parameters(Method method) {
        return IntStream.range(0, method.getParameterCount())
                .<MethodParameter>mapToObj(i -> new SynthesizingMethodParameter(method, i))
                .toList();
    }

    private static void check(boolean holds, String beanName, Method method, String why) {
        if (!holds) {
            throw new QueueMisuseException("@QueueListener on " + where(beanName, method) + " " + why);
        }
    }

    private static String where(String beanName, Method method) {
        return MethodText.of(method) + " of bean '" + beanName + "'";
    }
}
