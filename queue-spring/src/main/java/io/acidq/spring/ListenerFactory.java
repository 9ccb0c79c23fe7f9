package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.engine.EngineBuilder;
import io.acidq.resilience.Choice;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.RetryPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** Makes the engines' listeners of the methods with {@link QueueListener}. */
final class ListenerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final QueueEngines engines;
    private final ListenerText text;
    private final HandlerFactory handlers;
    private final ListenerReader reader;
    private final NamedBeans named;
    private final Map<Kind, Map<String, Guard.Source>> guards = new EnumMap<>(Kind.class);
    private final SingletonSupplier<List<DeclaredListener>> declared = SingletonSupplier.of(this::declare);

    ListenerFactory(ConfigurableListableBeanFactory beanFactory, QueueEngines engines) {
        this.beanFactory = beanFactory;
        this.engines = engines;
        this.text = new ListenerText(beanFactory);
        this.handlers = new HandlerFactory(beanFactory);
        this.reader = new ListenerReader(beanFactory, text, handlers);
        this.named = new NamedBeans(beanFactory);
    }

    /** All listeners of the application, at most one a queue in each engine. Found once, when all beans are known. */
    List<DeclaredListener> declared() {
        return declared.obtain();
    }

    /** Gives an engine its listeners and what they refer to. */
    void addTo(EngineBuilder builder, String engine, WorkerShares shares) {
        List<DeclaredListener> its =
                declared().stream().filter(each -> each.engine().equals(engine)).toList();
        Map<String, Listener<?>> shared = new LinkedHashMap<>();
        shares.share(its.stream().<Listener<?>>map(DeclaredListener::listener).toList())
                .forEach(listener -> shared.put(listener.queue(), listener));
        for (DeclaredListener each : its) {
            Listener<?> listener = shared.getOrDefault(each.queue(), each.listener());
            if (each.starts()) {
                builder.listen(listener);
            } else {
                builder.listenLater(listener);
            }
        }
        guards.getOrDefault(Kind.BREAKER, Map.of()).forEach(builder::breaker);
        guards.getOrDefault(Kind.RATE_LIMIT, Map.of()).forEach(builder::rateLimit);
        guards.getOrDefault(Kind.BULKHEAD, Map.of()).forEach(builder::bulkhead);
    }

    /** Asks for the beans of the listeners, so that what is wrong with them fails the start and not the first message. */
    void prepare() {
        handlers.prepare();
    }

    private List<DeclaredListener> declare() {
        List<DeclaredListener> all = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (ListenerMethod method : new ListenerMethods(beanFactory).find()) {
            try {
                declare(method, ids).forEach(each -> {
                    refuseSecond(all, each);
                    all.add(each);
                });
            } catch (QueueMisuseException e) {
                throw e.getMessage() != null && e.getMessage().contains(method.where()) ? e : method.misuse(e);
            }
        }
        return List.copyOf(all);
    }

    private List<DeclaredListener> declare(ListenerMethod method, Set<String> ids) {
        QueueListener annotation = method.annotation();
        boolean starts = text.flag("autoStartup", annotation.autoStartup());
        String engine = engines.nameOf(text.text("transactionManager", annotation.transactionManager()));
        String id = id(method, ids);
        List<DeclaredListener> its = new ArrayList<>();
        for (Listener<?> listener : reader.listeners(method)) {
            its.add(new DeclaredListener(id, engine, resolved(customized(listener), method), method, starts));
        }
        return its;
    }

    private String id(ListenerMethod method, Set<String> ids) {
        String written = text.text("id", method.annotation().id());
        String id =
                written.isEmpty() ? method.beanName() + "." + method.method().getName() : written;
        if (!written.isEmpty() && !ids.add(id)) {
            throw new QueueMisuseException("id '" + id + "' is that of another listener too: give each its own");
        }
        for (int number = 2; written.isEmpty() && !ids.add(id); number++) {
            id = method.beanName() + "." + method.method().getName() + "#" + number;
        }
        return id;
    }

    private static void refuseSecond(List<DeclaredListener> all, DeclaredListener second) {
        for (DeclaredListener first : all) {
            if (first.queue().equals(second.queue()) && first.engine().equals(second.engine())) {
                throw QueueMisuseException.withAction(
                        "queue '" + first.queue() + "' has two listeners, "
                                + first.method().where() + " and "
                                + second.method().where(),
                        "each message goes to one of them, so remove one or give it a queue of its own");
            }
        }
    }

    private <T> Listener<T> customized(Listener<T> listener) {
        Listener<T> customized = listener;
        for (ListenerCustomizer customizer : beanFactory
                .getBeanProvider(ListenerCustomizer.class)
                .orderedStream()
                .toList()) {
            customized = customizer.customize(customized);
        }
        return customized;
    }

    /** With what it refers to by name: policies at hand, guards known to the engine, where those of one name are shared. */
    private <T> Listener<T> resolved(Listener<T> listener, ListenerMethod method) {
        String who = "@QueueListener on " + method.where() + ": queue '" + listener.queue() + "'";
        know(Kind.BREAKER, listener.guards().breaker(), who);
        know(Kind.RATE_LIMIT, listener.guards().rateLimit(), who);
        know(Kind.BULKHEAD, listener.guards().bulkhead(), who);
        String name = listener.retry().name();
        RetryPolicy policy =
                name != null ? named.retry(name, who) : listener.retry().given();
        policy = policy == null ? named.defaultRetry() : policy;
        return policy == null ? listener : listener.withRetry(policy);
    }

    private void know(Kind kind, Choice<Guard.Source> choice, String who) {
        String name = choice.name();
        if (name != null) {
            guards.computeIfAbsent(kind, k -> new LinkedHashMap<>())
                    .computeIfAbsent(name, n -> named.guard(kind, n, who));
        }
    }
}
