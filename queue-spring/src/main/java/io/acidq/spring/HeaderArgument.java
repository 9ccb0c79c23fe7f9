package io.acidq.spring;

import io.acidq.QueueMisuseException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.AbstractNamedValueMethodArgumentResolver;

/** Resolves {@code @Header("name")}: required, defaulted and converted as everywhere in Spring. */
final class HeaderArgument extends AbstractNamedValueMethodArgumentResolver {

    HeaderArgument(ConversionService conversion, ConfigurableBeanFactory beanFactory) {
        super(conversion, beanFactory);
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
        return Received.of(message).delivery().headers().get(name);
    }

    @Override
    protected void handleMissingValue(String name, MethodParameter parameter, Message<?> message) {
        throw new QueueMisuseException(
                "message " + Received.of(message).delivery().id() + " has no header '" + name
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
