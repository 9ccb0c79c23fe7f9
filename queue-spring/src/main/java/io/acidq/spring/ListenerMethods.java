package io.acidq.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods with {@link QueueListener} among all beans: behind proxies, and by their type alone those that are lazy. */
final class ListenerMethods {

    private static final Logger log = LoggerFactory.getLogger(ListenerMethods.class);

    private final ConfigurableListableBeanFactory beanFactory;

    ListenerMethods(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    List<ListenerMethod> find() {
        List<ListenerMethod> found = new ArrayList<>();
        for (String name : beanFactory.getBeanNamesForType(Object.class)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(name);
            if (type != null && AnnotationUtils.isCandidateClass(type, QueueListener.class)) {
                methods(name, type)
                        .forEach((method, annotation) -> found.add(new ListenerMethod(name, type, method, annotation)));
            }
        }
        return found;
    }

    private Map<Method, QueueListener> methods(String name, Class<?> type) {
        try {
            return new LinkedHashMap<>(MethodIntrospector.selectMethods(type, (MetadataLookup<QueueListener>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, QueueListener.class)));
        } catch (RuntimeException | LinkageError e) { // a class of others whose optional parts are missing
            log.debug("the methods of bean '{}' can not be read; no listener is looked for there", name, e);
            return Map.of();
        }
    }

    private @Nullable Class<?> typeOf(String name) {
        Class<?> type = determined(name);
        if (type != null && ScopedObject.class.isAssignableFrom(type)) {
            Class<?> target = determined(ScopedProxyUtils.getTargetBeanName(name));
            return target == null ? type : target;
        }
        return type;
    }

    private @Nullable Class<?> determined(String name) {
        Object bean = beanFactory.getSingleton(name);
        try {
            return bean == null || bean instanceof FactoryBean<?>
                    ? AutoProxyUtils.determineTargetClass(beanFactory, name)
                    : AopProxyUtils.ultimateTargetClass(bean);
        } catch (RuntimeException | LinkageError e) {
            log.debug("the type of bean '{}' can not be determined; no listener is looked for there", name, e);
            return null;
        }
    }
}
