package io.acidq.spring.listener;

import io.acidq.config.Listener;
import io.acidq.spring.config.TestEngines;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;

/** The started listeners of a bean named {@code bean}, in an application with placeholder resolution as in Boot. */
final class StartedListeners implements AutoCloseable {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "shop.queue",
            "orders",
            "shop.list",
            "x,y",
            "shop.batch",
            "true",
            "shop.least",
            "10",
            "shop.default",
            "any");

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final List<DeclaredListener> declared;

    StartedListeners(Class<?> bean, Class<?>... others) {
        this(bean, PROPERTIES, context -> {
            for (Class<?> other : others) {
                context.registerBean(other);
            }
        });
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

    List<DeclaredListener> declared() {
        return declared;
    }

    Listener<Object> of(String queue) {
        return untyped(declared.stream()
                .filter(each -> each.queue().equals(queue))
                .findFirst()
                .orElseThrow()
                .listener());
    }

    @SuppressWarnings("unchecked")
    static Listener<Object> untyped(Listener<?> listener) {
        return (Listener<Object>) listener;
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
