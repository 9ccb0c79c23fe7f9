package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueErrorHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.function.SingletonSupplier;

/** Makes handlers of listener methods. The bean is asked for when the first message comes, or when the engine starts. */
final class HandlerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final List<SingletonSupplier<InvocableHandlerMethod>> invocables = new CopyOnWriteArrayList<>();
    private final SingletonSupplier<ArgumentResolvers> arguments;

    HandlerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.arguments = SingletonSupplier.of(() -> new ArgumentResolvers(beanFactory));
    }

    /**
     * The handler of a method.
     *
     * @param batch     whether the method takes several messages at once
     * @param condition the attribute, with its placeholders resolved; empty for none
     */
    <T> ListenerHandler<T> handler(
            AnnotatedMethod method, boolean batch, String condition, @Nullable QueueErrorHandler errors) {
        ListenerHandler<T> handler = ConditionalHandler.of(
                new ListenerMethod<>(method.where(), invocable(method, batch)), condition, beanFactory);
        return errors == null ? handler : new ErrorHandlingHandler<>(handler, errors);
    }

    /** Asks for the beans of all handlers made. */
    void prepare() {
        invocables.forEach(SingletonSupplier::obtain);
    }

    private SingletonSupplier<InvocableHandlerMethod> invocable(AnnotatedMethod method, boolean batch) {
        SingletonSupplier<InvocableHandlerMethod> invocable = SingletonSupplier.of(() -> {
            Object bean = beanFactory.getBean(method.beanName());
            ArgumentResolvers resolvers = arguments.obtain();
            for (MethodParameter parameter : method.parameters()) {
                resolvers.check(parameter, method.where());
            }
            return resolvers.invocable(bean, callable(method, bean), batch);
        });
        invocables.add(invocable);
        return invocable;
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
                            + " can not be called through the bean's proxy, none of whose interfaces has a method of these very"
                            + " parameter types: let the proxy extend the class (proxyTargetClass = true, as Boot does unless told"
                            + " otherwise), or declare the method so in one of the interfaces",
                    e);
        }
    }
}
