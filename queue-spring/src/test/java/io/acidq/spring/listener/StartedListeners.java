package io.acidq.spring.listener;

import io.acidq.config.Listener;
import io.acidq.spring.config.TestEngines;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;

/** The listeners of a bean called {@code bean}, ready for messages, in an application that knows its properties as one of Boot does. */
final class StartedListeners implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final List<DeclaredListener> declared;

    StartedListeners(Class<?> bean) {
        this(bean, Map.of(), context -> {});
    }

    StartedListeners(
            Class<?> bean, Map<String, Object> properties, Consumer<AnnotationConfigApplicationContext> others) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        context.registerBean("bean", bean);
        others.accept(context);
        try {
            context.refresh();
            ListenerFactory factory =
                    new ListenerFactory(context.getBeanFactory(), TestEngines.of(context.getBeanFactory()));
            this.declared = factory.declared();
            factory.prepare();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    @SuppressWarnings("unchecked")
    Listener<Object> of(String queue) {
        return (Listener<Object>) declared.stream()
                .filter(each -> each.queue().equals(queue))
                .findFirst()
                .orElseThrow()
                .listener();
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
