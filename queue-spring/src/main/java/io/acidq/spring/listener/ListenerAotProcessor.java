package io.acidq.spring.listener;

import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
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

/** Registers hints for a native image: the listener methods, and the classes of their payloads. */
final class ListenerAotProcessor implements BeanFactoryInitializationAotProcessor {

    private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beanFactory) {
        return (context, code) -> {
            RuntimeHints hints = context.getRuntimeHints();
            annotation(hints, QueueListener.class);
            annotation(hints, Publish.class);
            for (Class<?> type : // of SessionChangeDetector
                    List.of(Connection.class, Statement.class, PreparedStatement.class, CallableStatement.class)) {
                hints.proxies().registerJdkProxy(type);
            }
            hints.reflection().registerType(Connection.class, MemberCategory.INVOKE_PUBLIC_METHODS);
            AnnotatedMethod.findAll(beanFactory, false).forEach(listener -> listener(hints.reflection(), listener));
        };
    }

    /** Registers an annotation. Spring reads its attributes through a proxy. */
    private static void annotation(RuntimeHints hints, Class<?> annotation) {
        hints.proxies().registerJdkProxy(annotation);
        hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
    }

    private void listener(ReflectionHints hints, AnnotatedMethod listener) {
        hints.registerMethod(listener.method(), ExecutableMode.INVOKE);
        listener.parameters().forEach(parameter -> payload(hints, ResolvableType.forMethodParameter(parameter)));
    }

    /** Registers the innermost type, such as Order in a list of messages of Order. */
    private void payload(ReflectionHints hints, ResolvableType type) {
        for (ResolvableType generic : type.getGenerics()) {
            payload(hints, generic);
        }
        Class<?> payload = type.toClass();
        if (!type.hasGenerics() && !payload.isPrimitive() && !payload.getName().startsWith("java.")) {
            payloads.registerReflectionHints(hints, payload);
            if (payload.isSealed()) {
                for (Class<?> permitted : payload.getPermittedSubclasses()) {
                    payload(hints, ResolvableType.forClass(permitted));
                }
            }
        }
    }
}
