package io.acidq.spring;

import io.acidq.QueueMisuseException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.AbstractNamedValueMethodArgumentResolver;

/** Resolves {@code @Header("name")}: required, defaulted and converted as everywhere in Spring. */
final class HeaderArgument extends AbstractNamedValueMethodArgumentResolver {

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

    private final ConversionService conversion;

    HeaderArgument(ConversionService conversion, ConfigurableBeanFactory beanFactory) {
        super(conversion, beanFactory);
        this.conversion = conversion;
    }

    /** Fails when a parameter is of a type that no header can become. */
    void prepare(MethodParameter parameter, String where) {
        if (supportsParameter(parameter) && !conversion.canConvert(TEXT, new TypeDescriptor(parameter))) {
            throw new QueueMisuseException("@QueueListener on " + where + " takes a header as "
                    + parameter.getParameterType().getName()
                    + ", which no text can be converted to: take it as String, or give the application's"
                    + " conversionService a converter from String");
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
