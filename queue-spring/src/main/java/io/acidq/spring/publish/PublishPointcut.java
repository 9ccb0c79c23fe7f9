package io.acidq.spring.publish;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** The calls of methods that have a {@link io.acidq.spring.Publish}. */
final class PublishPointcut extends StaticMethodMatcherPointcut {

    private final PublishOperationSource source;

    PublishPointcut(PublishOperationSource source) {
        this.source = source;
        setClassFilter(source::publishes);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return !source.operations(method, targetClass).isEmpty();
    }
}
