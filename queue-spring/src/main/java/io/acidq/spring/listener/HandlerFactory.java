package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.expression.AttributeExpression;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.MethodParameter;
import org.springframework.expression.BeanResolver;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.function.SingletonSupplier;

/** Creates the handlers of listener methods. A bean is requested at the start of the engine, or for the first message if that comes earlier. */
final class HandlerFactory {

    private static final Set<String> WEB_SCOPES = Set.of("request", "session", "websocket");

    private final BeanResolver beans;
    private final List<SingletonSupplier<InvocableHandlerMethod>> invocables = new CopyOnWriteArrayList<>();
    private final SingletonSupplier<ArgumentResolvers> arguments;

    HandlerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beans = new BeanFactoryResolver(beanFactory);
        this.arguments = SingletonSupplier.of(() -> new ArgumentResolvers(beanFactory));
    }

    /**
     * Creates the handler of a method.
     *
     * @param batch     whether the method takes several messages at once
     * @param condition the attribute, with its placeholders resolved; empty for none
     */
    <T> ListenerMethod<T> handler(
            AnnotatedMethod method, boolean batch, String condition, @Nullable QueueErrorHandler errorHandler) {
        AttributeExpression parsed = AttributeExpression.parse(
                "condition", condition, new ListenerParameters(method, batch).conditionVariables());
        SingletonSupplier<InvocableHandlerMethod> invocable = invocable(method, batch);
        return errorHandler == null
                ? new ListenerMethod<>(method.where(), invocable, parsed, beans)
                : new ListenerMethod.WithErrorHandler<>(method.where(), invocable, parsed, beans, errorHandler);
    }

    /** Requests the beans of all handlers. */
    void prepare() {
        invocables.forEach(SingletonSupplier::obtain);
    }

    private SingletonSupplier<InvocableHandlerMethod> invocable(AnnotatedMethod method, boolean batch) {
        SingletonSupplier<InvocableHandlerMethod> invocable = SingletonSupplier.of(() -> {
            refuseScopeOfTheWeb(method);
            Object bean = method.beanFactory().getBean(method.beanName());
            ListenerAdvice.refuseAdvice(method, bean);
            ArgumentResolvers resolvers = arguments.obtain();
            for (MethodParameter parameter : method.parameters()) {
                resolvers.check(parameter, method.where());
            }
            return resolvers.invocable(bean, callable(method, bean), batch);
        });
        invocables.add(invocable);
        return invocable;
    }

    /** Refuses a bean that exists only while a thread serves a request: each call by a worker would fail. */
    private static void refuseScopeOfTheWeb(AnnotatedMethod method) {
        ConfigurableListableBeanFactory beans = method.beanFactory();
        String target = ScopedProxyUtils.getTargetBeanName(method.beanName());
        String name = beans.containsBeanDefinition(target) ? target : method.beanName();
        String scope = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getScope()
                : null;
        if (scope != null && WEB_SCOPES.contains(scope)) {
            throw new QueueMisuseException("@QueueListener on " + method.where() + " is in a bean of scope '" + scope
                    + "', which does not exist on the threads that run messages: move the method to a singleton");
        }
    }

    private static Method callable(AnnotatedMethod method, Object bean) {
        int modifiers = method.method().getModifiers();
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(modifiers) && !Modifier.isStatic(modifiers)) {
            throw new QueueMisuseException("@QueueListener on " + method.where()
                    + " is final, so it would run on the bean's proxy (of @Transactional or the like), whose fields are null,"
                    + " and not on the bean: remove final from the method");
        }
        try {
            return AopUtils.selectInvocableMethod(method.method(), bean.getClass());
        } catch (IllegalStateException e) {
            throw new QueueMisuseException(
                    "@QueueListener on " + method.where()
                            + " cannot be called through the bean's proxy, because none of its interfaces has a method with these"
                            + " parameter types: let the proxy extend the class (proxyTargetClass = true, the default in Boot),"
                            + " or declare the method in one of the interfaces",
                    e);
        }
    }
}
