package io.acidq.spring.listener;

import io.acidq.Delivery;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.support.AbstractNamedValueMethodArgumentResolver;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.validation.Validator;

/** Resolves the arguments of listener methods from a message or a batch. Thread-safe. */
final class ArgumentResolvers {

    private final PayloadValidator validator;
    private final HeaderResolver header;
    private final DefaultMessageHandlerMethodFactory single;
    private final DefaultMessageHandlerMethodFactory batches;

    ArgumentResolvers(ConfigurableListableBeanFactory beanFactory) {
        this.validator = new PayloadValidator(
                beanFactory.getBeanProvider(Validator.class).getIfUnique());
        this.header = new HeaderResolver(conversion(beanFactory), beanFactory);
        this.single = methods(
                beanFactory,
                List.of(
                        header,
                        // only the headers of the message, without those that Spring adds
                        resolver(
                                p -> p.hasParameterAnnotation(Headers.class),
                                (p, message) -> delivery(message).headers()),
                        resolver(p -> p.getParameterType() == Delivery.class, (p, message) -> delivery(message)),
                        resolver(p -> p.getParameterType() == Message.class, this::validated),
                        // the remaining parameter is the payload, which the codec has decoded as its class
                        resolver(
                                p -> true, (p, message) -> validated(p, message).getPayload())));
        this.batches = methods(beanFactory, List.of(resolver(p -> p.getParameterType() == List.class, this::elements)));
    }

    /** Fails if a parameter cannot be resolved for any message. */
    void check(MethodParameter parameter, String where) {
        validator.check(parameter, where);
        header.check(parameter, where);
    }

    /** Returns the method of a bean, which is called with a {@link ReceivedMessage}, or with a {@link ReceivedMessage.Batch} if it takes batches. */
    InvocableHandlerMethod invocable(Object bean, Method method, boolean batch) {
        return (batch ? batches : single).createInvocableHandlerMethod(bean, method);
    }

    private Message<?> validated(MethodParameter parameter, Message<?> message) {
        validator.validate(parameter, message);
        return message;
    }

    private List<?> elements(MethodParameter parameter, Message<?> batch) {
        List<ReceivedMessage> messages = ((ReceivedMessage.Batch) batch).messages();
        Class<?> element =
                ResolvableType.forMethodParameter(parameter).getGeneric(0).toClass();
        if (element == Delivery.class) {
            return messages.stream().map(ReceivedMessage::delivery).toList();
        }
        messages.forEach(each -> validator.validate(parameter, each));
        return element == Message.class
                ? messages
                : messages.stream().map(ReceivedMessage::payload).toList();
    }

    private static Delivery delivery(Message<?> message) {
        return ((ReceivedMessage) message).delivery();
    }

    /** Returns the application's conversion service, which Boot defines, or a default one. */
    private static ConversionService conversion(ConfigurableBeanFactory beanFactory) {
        ConversionService application = beanFactory.getConversionService();
        return application == null ? new DefaultFormattingConversionService() : application;
    }

    private static DefaultMessageHandlerMethodFactory methods(
            ConfigurableListableBeanFactory beanFactory, List<HandlerMethodArgumentResolver> arguments) {
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.setBeanFactory(beanFactory);
        factory.setArgumentResolvers(arguments);
        factory.afterPropertiesSet();
        return factory;
    }

    private static HandlerMethodArgumentResolver resolver(
            Predicate<MethodParameter> supported, BiFunction<MethodParameter, Message<?>, Object> argument) {
        return new HandlerMethodArgumentResolver() {
            @Override
            public boolean supportsParameter(MethodParameter parameter) {
                return supported.test(parameter);
            }

            @Override
            public Object resolveArgument(MethodParameter parameter, Message<?> message) {
                return argument.apply(parameter, message);
            }
        };
    }

    /** Resolves {@code @Header("name")} with the rules of Spring for required headers, default values and conversion. */
    private static final class HeaderResolver extends AbstractNamedValueMethodArgumentResolver {

        private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

        private final ConversionService conversion;

        HeaderResolver(ConversionService conversion, ConfigurableBeanFactory beanFactory) {
            super(conversion, beanFactory);
            this.conversion = conversion;
        }

        /** Fails if a header cannot be converted to the type of the parameter. */
        void check(MethodParameter parameter, String where) {
            if (supportsParameter(parameter) && !conversion.canConvert(TEXT, new TypeDescriptor(parameter))) {
                throw new QueueMisuseException("@QueueListener on " + where + " takes a header as "
                        + parameter.getParameterType().getName()
                        + ", to which a text cannot be converted: take it as String, or add a converter from String to the"
                        + " application's conversionService");
            }
        }

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.hasParameterAnnotation(Header.class);
        }

        @Override
        protected NamedValueInfo createNamedValueInfo(MethodParameter parameter) {
            Header header = parameter.getParameterAnnotation(Header.class);
            if (header == null) {
                throw new IllegalStateException("no @Header on " + parameter);
            }
            return new Named(header);
        }

        @Override
        protected @Nullable Object resolveArgumentInternal(MethodParameter parameter, Message<?> message, String name) {
            return delivery(message).headers().get(name);
        }

        @Override
        protected void handleMissingValue(String name, MethodParameter parameter, Message<?> message) {
            throw new QueueMisuseException("message " + delivery(message).id() + " has no header '" + name
                    + "', which " + parameter.getExecutable()
                    + " requires: enqueue it with the header, or declare the parameter"
                    + " @Header(name = \"" + name + "\", required = false)");
        }

        private static final class Named extends NamedValueInfo {

            Named(Header header) {
                super(header.name(), header.required(), header.defaultValue());
            }
        }
    }
}
