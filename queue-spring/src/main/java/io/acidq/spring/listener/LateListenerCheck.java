package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses a bean with a listener that was not found, because the bean is created after the search and its definition does not tell its class.
 * Otherwise the listener would be missing without a notice.
 *
 * @param beanFactory      creates the beans
 * @param found            the methods that the search found in it
 * @param withoutListeners the classes that were looked at and have none, because prototypes are created often
 */
record LateListenerCheck(
        ConfigurableListableBeanFactory beanFactory, List<AnnotatedMethod> found, Set<Class<?>> withoutListeners)
        implements BeanPostProcessor {

    LateListenerCheck(ConfigurableListableBeanFactory beanFactory, List<AnnotatedMethod> found) {
        this(beanFactory, found, ConcurrentHashMap.newKeySet());
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (withoutListeners.contains(type)) {
            return bean;
        }
        String name =
                ScopedProxyUtils.isScopedTarget(beanName) ? ScopedProxyUtils.getOriginalBeanName(beanName) : beanName;
        List<AnnotatedMethod> late = AnnotatedMethod.of(beanFactory, name, type);
        if (late.isEmpty()) {
            withoutListeners.add(type);
        }
        for (AnnotatedMethod method : late) {
            if (found.stream().noneMatch(each -> isSame(each, method))) {
                throw QueueMisuseException.withAction(
                        "@QueueListener on " + method.where()
                                + " was found too late: the bean is created after the search for listeners, and its"
                                + " definition does not tell its class",
                        "declare " + type.getName()
                                + " as the type of the bean, such as the return type of its @Bean"
                                + " method, and register the bean before the context is refreshed");
            }
        }
        return bean;
    }

    private static boolean isSame(AnnotatedMethod found, AnnotatedMethod late) {
        return BeanFactoryUtils.transformedBeanName(found.beanName()).equals(late.beanName())
                && AopUtils.getMostSpecificMethod(found.method(), late.type()).equals(late.method());
    }
}
