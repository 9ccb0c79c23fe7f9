package io.acidq.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/** Says ahead of time, for a native image, which listener methods are called and which classes their payloads are read as. */
final class ListenerHints implements BeanFactoryInitializationAotProcessor {

    private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beanFactory) {
        return (context, code) -> {
            RuntimeHints hints = context.getRuntimeHints();
            annotation(hints, QueueListener.class);
            annotation(hints, Publish.class);
            new ListenerMethods(beanFactory).find().forEach(listener -> listener(hints.reflection(), listener));
        };
    }

    /** Attributes are read through a proxy of it. */
    private static void annotation(RuntimeHints hints, Class<?> annotation) {
        hints.proxies().registerJdkProxy(annotation);
        hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
    }

    private void listener(ReflectionHints hints, ListenerMethod listener) {
        hints.registerMethod(listener.method(), ExecutableMode.INVOKE);
        new ListenerParameters(listener, false)
                .parameters()
                .forEach(parameter -> payload(hints, ResolvableType.forMethodParameter(parameter)));
    }

    /** Of a list of messages of orders, the orders. */
    private void payload(ReflectionHints hints, ResolvableType type) {
        for (ResolvableType generic : type.getGenerics()) {
            payload(hints, generic);
        }
        Class<?> payload = type.toClass();
        if (!type.hasGenerics() && !payload.isPrimitive() && !payload.getName().startsWith("java.")) {
            payloads.registerReflectionHints(hints, payload);
        }
    }
}
