package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.validation.Validator;

/** Makes handlers of listener methods. The bean is asked for when the first message comes, or when the engine starts. */
final class HandlerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final List<SingletonSupplier<InvocableHandlerMethod>> made = new CopyOnWriteArrayList<>();
    private final SingletonSupplier<PayloadCheck> check;
    private final SingletonSupplier<HeaderArgument> header;
    private final SingletonSupplier<DefaultMessageHandlerMethodFactory> single;
    private final SingletonSupplier<DefaultMessageHandlerMethodFactory> batches;

    HandlerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.check = SingletonSupplier.of(() ->
                new PayloadCheck(beanFactory.getBeanProvider(Validator.class).getIfUnique()));
        this.header = SingletonSupplier.of(() -> new HeaderArgument(conversion(), beanFactory));
        this.single = SingletonSupplier.of(() -> methods(List.of(
                header.obtain(),
                new HeadersArgument(),
                new DeliveryArgument(),
                new MessageArgument(check.obtain()),
                new PayloadArgument(check.obtain()))));
        this.batches = SingletonSupplier.of(() -> methods(List.of(new BatchArgument(check.obtain()))));
    }

    <T> Handler<T> handler(ListenerMethod method) {
        return new MethodHandler<>(method.where(), invocable(method, single));
    }

    <T> BatchHandler<T> batchHandler(ListenerMethod method) {
        return new BatchMethodHandler<>(method.where(), invocable(method, batches));
    }

    /** Asks for the beans of all handlers made. */
    void prepare() {
        made.forEach(SingletonSupplier::obtain);
    }

    private SingletonSupplier<InvocableHandlerMethod> invocable(
            ListenerMethod method, SingletonSupplier<DefaultMessageHandlerMethodFactory> factory) {
        SingletonSupplier<InvocableHandlerMethod> invocable = SingletonSupplier.of(() -> {
            Object bean = beanFactory.getBean(method.beanName());
            for (MethodParameter parameter : new ListenerParameters(method, false).parameters()) {
                check.obtain().prepare(parameter, method.where());
                header.obtain().prepare(parameter, method.where());
            }
            return factory.obtain().createInvocableHandlerMethod(bean, callable(method, bean));
        });
        made.add(invocable);
        return invocable;
    }

    private static Method callable(ListenerMethod method, Object bean) {
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

    /** The bean of that name where there is one, in Boot its own. */
    private ConversionService conversion() {
        ConversionService application = beanFactory.getConversionService();
        return application == null ? new DefaultFormattingConversionService() : application;
    }

    private DefaultMessageHandlerMethodFactory methods(List<HandlerMethodArgumentResolver> arguments) {
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.setBeanFactory(beanFactory);
        factory.setArgumentResolvers(arguments);
        factory.afterPropertiesSet();
        return factory;
    }
}
