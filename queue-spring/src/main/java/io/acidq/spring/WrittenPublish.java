package io.acidq.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The {@link Publish} annotations that count for a method: those at the nearest place where there are any, first among the methods that it
 * overrides or implements, then among the types that declare them.
 *
 * @param method      the one that runs
 * @param targetClass the class of its object
 */
record WrittenPublish(Method method, Class<?> targetClass) {

    Stream<MergedAnnotation<Publish>> find() {
        List<MergedAnnotation<Publish>> atMethods = nearest(in(method));
        return atMethods.isEmpty() ? nearest(atTypes()).stream().filter(this::hasPayload) : atMethods.stream();
    }

    private Stream<MergedAnnotation<Publish>> atTypes() {
        boolean mayBeMeant = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
        return mayBeMeant
                ? in(targetClass).filter(a -> a.getSource() instanceof Class<?> c && isOf(c))
                : Stream.empty();
    }

    /** A void method has nothing to publish but what is named; at a type that is no mistake. */
    private boolean hasPayload(MergedAnnotation<Publish> atType) {
        return method.getReturnType() != void.class
                || !atType.getString("payload").isBlank();
    }

    private boolean isOf(Class<?> type) {
        return type == method.getDeclaringClass()
                || (type.isInterface()
                        && Arrays.stream(type.getMethods())
                                .anyMatch(m ->
                                        PublishRules.specific(m, targetClass).equals(method)));
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
}
