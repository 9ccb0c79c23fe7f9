package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueListener;
import io.acidq.spring.expression.AnnotationAttributes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.SynthesizingMethodParameter;

/**
 * A method with {@link QueueListener}.
 *
 * @param beanName   the bean that the method belongs to
 * @param type       the bean's class, by which the type variables of the method's class are resolved
 * @param method     the method
 * @param annotation the annotation on it
 */
record AnnotatedMethod(String beanName, Class<?> type, Method method, QueueListener annotation) {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedMethod.class);

    /** Finds the methods of all beans, including those behind proxies. A lazy bean is not created; its type is enough. */
    static List<AnnotatedMethod> findAll(ConfigurableListableBeanFactory beanFactory) {
        List<AnnotatedMethod> found = new ArrayList<>();
        for (String name : beanFactory.getBeanNamesForType(Object.class)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(beanFactory, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, QueueListener.class)) {
                methods(name, type)
                        .forEach(
                                (method, annotation) -> found.add(new AnnotatedMethod(name, type, method, annotation)));
            }
        }
        return found;
    }

    private static Map<Method, QueueListener> methods(String name, Class<?> type) {
        try {
            return new LinkedHashMap<>(MethodIntrospector.selectMethods(type, (MetadataLookup<QueueListener>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, QueueListener.class)));
        } catch (RuntimeException | LinkageError e) { // a class whose optional dependencies are missing
            log.debug("the methods of bean '{}' cannot be read, so they are not searched for listeners", name, e);
            return Map.of();
        }
    }

    private static @Nullable Class<?> typeOf(ConfigurableListableBeanFactory beanFactory, String name) {
        Class<?> type = targetClass(beanFactory, name);
        if (type != null && ScopedObject.class.isAssignableFrom(type)) {
            Class<?> target = targetClass(beanFactory, ScopedProxyUtils.getTargetBeanName(name));
            return target == null ? type : target;
        }
        return type;
    }

    private static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beanFactory, String name) {
        Object bean = beanFactory.getSingleton(name);
        try {
            return bean == null || bean instanceof FactoryBean<?>
                    ? AutoProxyUtils.determineTargetClass(beanFactory, name)
                    : AopProxyUtils.ultimateTargetClass(bean);
        } catch (RuntimeException | LinkageError e) {
            log.debug("the type of bean '{}' cannot be determined, so it is not searched for listeners", name, e);
            return null;
        }
    }

    List<MethodParameter> parameters() {
        return IntStream.range(0, method.getParameterCount())
                .<MethodParameter>mapToObj(i -> new SynthesizingMethodParameter(method, i).withContainingClass(type))
                .toList();
    }

    /** Returns the method and its bean, for error messages. */
    String where() {
        return AnnotationAttributes.nameOf(method) + " of bean '" + beanName + "'";
    }

    /** Returns the same misuse with the name of the method in front. */
    QueueMisuseException misuse(QueueMisuseException why) {
        String text = String.valueOf(why.getMessage());
        boolean sentence = text.startsWith("has ")
                || text.startsWith("is ")
                || text.startsWith("takes ")
                || text.startsWith("returns ")
                || text.startsWith("does ");
        return new QueueMisuseException("@QueueListener on " + where() + (sentence ? " " : ": ") + text, why);
    }
}
