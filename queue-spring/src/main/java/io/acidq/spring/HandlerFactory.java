package io.acidq.spring;

import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.converter.SimpleMessageConverter;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.validation.Validator;

/** Makes handlers of listener methods. The bean is asked for when the first message comes, or when the engine starts. */
final class HandlerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final List<SingletonSupplier<InvocableHandlerMethod>> made = new CopyOnWriteArrayList<>();
    private final SingletonSupplier<DefaultMessageHandlerMethodFactory> methods =
            SingletonSupplier.of(this::methodFactory);

    HandlerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    <T> Handler<T> handler(ListenerMethod method) {
        SingletonSupplier<InvocableHandlerMethod> invocable = SingletonSupplier.of(() -> invocable(method));
        made.add(invocable);
        return new MethodHandler<>(method.where(), invocable);
    }

    /** Asks for the beans of all handlers made. */
    void prepare() {
        made.forEach(SingletonSupplier::obtain);
    }

    private InvocableHandlerMethod invocable(ListenerMethod method) {
        Object bean = beanFactory.getBean(method.beanName());
        return methods.obtain().createInvocableHandlerMethod(bean, callable(method, bean));
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
                    "@QueueListener on " + method.where() + " can not be called through the bean's proxy: "
                            + e.getMessage(),
                    e);
        }
    }

    private DefaultMessageHandlerMethodFactory methodFactory() {
        Validator validator = beanFactory.getBeanProvider(Validator.class).getIfUnique();
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.setBeanFactory(beanFactory);
        factory.setArgumentResolvers(List.of(
                new HeaderArgument(DefaultConversionService.getSharedInstance(), beanFactory),
                new HeadersArgument(),
                new DeliveryArgument(),
                validator == null
                        ? new PayloadMethodArgumentResolver(new SimpleMessageConverter())
                        : new PayloadMethodArgumentResolver(new SimpleMessageConverter(), validator)));
        factory.afterPropertiesSet();
        return factory;
    }
}
