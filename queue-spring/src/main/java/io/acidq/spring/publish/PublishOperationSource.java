package io.acidq.spring.publish;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.expression.ExpressionVariables;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.interceptor.TransactionalProxy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds and parses the {@link Publish} annotations of methods. They are parsed when the bean is created, and an error in one fails that
 * creation. Thread-safe.
 *
 * <p>The annotations at the nearest place apply to a method: first those on the method and on the methods that it overrides or implements, then
 * those on the types that declare it.
 */
final class PublishOperationSource {

    private final Map<AnnotatedElementKey, MethodOperations> known = new ConcurrentHashMap<>();
    private final ConfigurableListableBeanFactory beanFactory;
    private final AnnotationAttributes attributes;

    PublishOperationSource(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.attributes = new AnnotationAttributes(beanFactory);
    }

    /**
     * The operations of a method.
     *
     * @param method     the most specific method, which runs
     * @param operations the operations; empty if the method does not publish
     */
    record MethodOperations(Method method, List<PublishOperation> operations) {

        boolean isEmpty() {
            return operations.isEmpty();
        }

        /** Returns whether there is nothing to publish, because a method that is not void returned null. */
        boolean isNothing(@Nullable Object result) {
            return result == null && method.getReturnType() != void.class;
        }
    }

    /** Returns the operations of a method that is called on an object of this class. */
    MethodOperations operations(Method method, Class<?> targetClass) {
        AnnotatedElementKey key = new AnnotatedElementKey(method, targetClass);
        MethodOperations found = known.get(key);
        if (found == null) {
            found = parse(specific(method, targetClass), targetClass);
            known.put(key, found);
        }
        return found;
    }

    /**
     * Returns whether a method of this class publishes. Parses all of its methods, so that an error fails the start even on a method that no proxy
     * would intercept.
     */
    boolean publishes(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, Publish.class)
                && methods(type).filter(m -> !operations(m, type).isEmpty()).count() > 0;
    }

    /** Checks the target of each operation found so far. Called when all singletons exist. */
    void requireQueues(PublishTargetResolver targets) {
        known.values().stream()
                .flatMap(each -> each.operations().stream())
                .forEach(operation -> operation.requireQueue(targets));
    }

    private static Stream<Method> methods(Class<?> type) {
        return Proxy.isProxyClass(type)
                ? Arrays.stream(type.getInterfaces()).flatMap(i -> Arrays.stream(i.getMethods()))
                : Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).filter(m -> !m.isBridge());
    }

    /** Returns the method that runs. The methods of a JDK proxy, such as a mapper, are final and have no parameter names, so those of its interfaces are used. */
    private static Method specific(Method method, Class<?> targetClass) {
        return Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass);
    }

    private MethodOperations parse(Method method, Class<?> targetClass) {
        return new MethodOperations(
                method,
                annotations(method, targetClass)
                        .map(annotation -> parse(method, targetClass, annotation))
                        .toList());
    }

    private static Stream<MergedAnnotation<Publish>> annotations(Method method, Class<?> targetClass) {
        List<MergedAnnotation<Publish>> atMethods = nearest(in(method));
        return atMethods.isEmpty()
                ? nearest(atTypes(method, targetClass)).stream().filter(atType -> hasPayload(method, atType))
                : atMethods.stream();
    }

    private static Stream<MergedAnnotation<Publish>> atTypes(Method method, Class<?> targetClass) {
        boolean isEligible = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
        return isEligible
                ? in(targetClass).filter(a -> a.getSource() instanceof Class<?> c && declares(c, method, targetClass))
                : Stream.empty();
    }

    private static boolean declares(Class<?> type, Method method, Class<?> targetClass) {
        return type == method.getDeclaringClass()
                || (type.isInterface()
                        && Arrays.stream(type.getMethods())
                                .anyMatch(m -> specific(m, targetClass).equals(method)));
    }

    /** Returns whether the method has a payload. Without one, an annotation on the type does not apply to it, which is not an error. */
    private static boolean hasPayload(Method method, MergedAnnotation<Publish> atType) {
        return method.getReturnType() != void.class
                || !atType.getString("payload").isBlank();
    }

    private static Stream<MergedAnnotation<Publish>> in(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(Publish.class);
    }

    private static List<MergedAnnotation<Publish>> nearest(Stream<MergedAnnotation<Publish>> found) {
        List<MergedAnnotation<Publish>> all = found.toList();
        int first =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
        return all.stream().filter(a -> a.getAggregateIndex() == first).toList();
    }

    private PublishOperation parse(Method method, Class<?> targetClass, MergedAnnotation<Publish> publish) {
        refuse(
                Modifier.isPrivate(method.getModifiers())
                        || Modifier.isStatic(method.getModifiers())
                        || Modifier.isFinal(method.getModifiers()),
                method,
                "is private, static or final, so no proxy can intercept its calls: remove that modifier");
        refuse(
                TransactionalProxy.class.isAssignableFrom(targetClass),
                method,
                "is on a repository, whose own transaction ends before the message could be enqueued: put @Publish on the"
                        + " @Transactional service method that calls the repository");
        refuse(
                AnnotatedElementUtils.hasAnnotation(method, Bean.class),
                method,
                "is a @Bean method, which the container calls once, without a transaction: put @Publish on a method of a service");
        PublishOperation operation =
                new PublishOperation(where(method), publish, attributes, ExpressionVariables.of(method));
        refuse(
                method.getReturnType() == void.class && !operation.hasPayload(),
                method,
                "returns void, so there is no payload: return it, or set payload, such as payload = \"#p0\"");
        if (!operation.hasPayload()) {
            PayloadConverter.problem(published(method))
                    .ifPresent(problem -> refuse(
                            true, method, "returns a " + published(method).getSimpleName() + ", which " + problem));
        }
        refuse(
                PayloadConverter.isDeferred(method),
                method,
                "does its work after it has returned, outside of the transaction: do the work in the method itself and return"
                        + " its value");
        refuse(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, MessageQueue.class, true, false).length
                        == 0,
                method,
                "cannot publish, because there is no MessageQueue bean: define a Store bean, or with several DataSource beans mark one @Primary");
        return operation;
    }

    private static Class<?> published(Method method) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method);
        return (returned.toClass() == Optional.class ? returned.getGeneric(0) : returned).toClass();
    }

    private static void refuse(boolean isWrong, Method method, String problem) {
        if (isWrong) {
            throw new QueueMisuseException(where(method) + " " + problem);
        }
    }

    private static String where(Method method) {
        return "@Publish on " + AnnotationAttributes.nameOf(method);
    }
}
