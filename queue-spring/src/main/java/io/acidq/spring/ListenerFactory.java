package io.acidq.spring;

import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.RunOptions;
import io.acidq.config.Workers;
import io.acidq.engine.EngineBuilder;
import io.acidq.resilience.Choice;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Makes the engine's listeners of the methods with {@link QueueListener}. */
final class ListenerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final EmbeddedValueResolver values;
    private final HandlerFactory handlers;
    private final NamedBeans named;
    private final Map<Kind, Map<String, Guard.Source>> guards = new EnumMap<>(Kind.class);

    ListenerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.values = new EmbeddedValueResolver(beanFactory);
        this.handlers = new HandlerFactory(beanFactory);
        this.named = new NamedBeans(beanFactory);
    }

    /** The listeners to run, at most one a queue. */
    List<Listener<?>> listeners() {
        Map<String, ListenerMethod> byQueue = new LinkedHashMap<>();
        List<Listener<?>> listeners = new ArrayList<>();
        for (ListenerMethod method : new ListenerMethods(beanFactory).find()) {
            if (!isStarted(method)) {
                continue;
            }
            Listener<?> listener = listener(method);
            ListenerMethod other = byQueue.put(listener.queue(), method);
            if (other != null) {
                throw QueueMisuseException.withAction(
                        "queue '" + listener.queue() + "' has two listeners, " + other.where() + " and "
                                + method.where(),
                        "each message goes to one of them, so remove one or give it a queue of its own");
            }
            listeners.add(listener);
        }
        return listeners;
    }

    /** Gives an engine the listeners and what they refer to. */
    void addTo(EngineBuilder engine) {
        listeners().forEach(engine::listen);
        guards.getOrDefault(Kind.BREAKER, Map.of()).forEach(engine::breaker);
        guards.getOrDefault(Kind.RATE_LIMIT, Map.of()).forEach(engine::rateLimit);
        guards.getOrDefault(Kind.BULKHEAD, Map.of()).forEach(engine::bulkhead);
    }

    /** Asks for the beans of the listeners, so that what is wrong with them fails the start and not the first message. */
    void prepare() {
        handlers.prepare();
    }

    private <T> Listener<T> listener(ListenerMethod method, Class<T> payloadType) {
        Handler<T> handler = handlers.handler(method);
        QueueListener annotation = method.annotation();
        Listener<T> listener;
        Workers workers = workers(method);
        RunOptions options = options(method);
        try {
            listener = Listener.on(text(annotation.queue()), payloadType, handler)
                    .withWorkers(workers)
                    .withOptions(options);
        } catch (QueueMisuseException e) {
            throw misuse(method, String.valueOf(e.getMessage()));
        }
        listener = withName(listener, annotation.retry(), Listener::withRetry);
        listener = withName(listener, annotation.breaker(), Listener::withBreaker);
        listener = withName(listener, annotation.rateLimit(), Listener::withRateLimit);
        return withName(listener, annotation.bulkhead(), Listener::withBulkhead);
    }

    private <T> Listener<T> withName(
            Listener<T> listener, String written, BiFunction<Listener<T>, String, Listener<T>> with) {
        String name = text(written);
        return name.isEmpty() ? listener : with.apply(listener, name);
    }

    private Listener<?> listener(ListenerMethod method) {
        return resolved(customized(listener(method, method.payloadType())), method);
    }

    private RunOptions options(ListenerMethod method) {
        RunOptions defaults = RunOptions.defaults();
        String timeout = text(method.annotation().timeout());
        int size = number(method, "transactionSize", method.annotation().transactionSize());
        Duration limit = timeout.isEmpty() ? null : duration(method, timeout);
        try {
            return new RunOptions(mode(method), size, limit, defaults.grace());
        } catch (QueueMisuseException e) {
            throw misuse(method, String.valueOf(e.getMessage()));
        }
    }

    private Mode mode(ListenerMethod method) {
        String value = text(method.annotation().mode());
        try {
            return Mode.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw misuse(method, "mode must be transactional or external, was '" + value + "'");
        }
    }

    private static Duration duration(ListenerMethod method, String value) {
        try {
            return DurationFormatterUtils.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw misuse(method, "timeout must be a duration such as 30s or PT30S, was '" + value + "'");
        }
    }

    private int number(ListenerMethod method, String attribute, String written) {
        String value = text(written);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw misuse(method, attribute + " must be a number, was '" + value + "'");
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

    private boolean isStarted(ListenerMethod method) {
        String value = text(method.annotation().autoStartup());
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw misuse(method, "autoStartup must be true or false, was '" + value + "'");
        }
        return Boolean.parseBoolean(value);
    }

    private Workers workers(ListenerMethod method) {
        try {
            return Workers.parse(text(method.annotation().concurrency()));
        } catch (QueueMisuseException e) {
            throw misuse(method, "concurrency: " + e.getMessage());
        }
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

    private String text(String written) {
        String value = values.resolveStringValue(written);
        return value == null ? "" : value.trim();
    }

    private static QueueMisuseException misuse(ListenerMethod method, String why) {
        return new QueueMisuseException("@QueueListener on " + method.where() + ": " + why);
    }
}
