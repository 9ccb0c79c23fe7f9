package io.acidq.engine;

import io.acidq.Interceptor;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.loop.ReceiptSignals;
import io.acidq.resilience.Guard;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.telemetry.LoggingTelemetry;
import io.acidq.telemetry.SafeTelemetry;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** A builder of {@link Engine}s. Not thread-safe. */
public final class EngineBuilder {

    private final Store store;
    private final Map<String, Listener<?>> listeners = new LinkedHashMap<>();
    private final Map<String, Recurring> recurring = new LinkedHashMap<>();
    private final PolicyRegistry policies = new PolicyRegistry();
    private final List<Telemetry> telemetry = new ArrayList<>();
    private final List<Interceptor> interceptors = new ArrayList<>();
    private final Set<String> startedLater = new HashSet<>();
    private EngineConfig config = EngineConfig.defaults();
    private ThreadFactory workerThreads = Thread::new;
    private @Nullable Codec codec;

    EngineBuilder(Store store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    public EngineBuilder config(EngineConfig value) {
        config = Objects.requireNonNull(value, "config");
        return this;
    }

    /** Sets how payloads are encoded. Default: JSON, by {@link JacksonCodec}. */
    public EngineBuilder codec(Codec value) {
        codec = Objects.requireNonNull(value, "codec");
        return this;
    }

    /** Adds a receiver of the engine's events. */
    public EngineBuilder telemetry(Telemetry value) {
        telemetry.add(Objects.requireNonNull(value, "telemetry"));
        return this;
    }

    /**
     * Adds an interceptor of each enqueue and each call of a handler. The interceptor that was added first is the
     * outermost.
     */
    public EngineBuilder interceptor(Interceptor value) {
        interceptors.add(Objects.requireNonNull(value, "interceptor"));
        return this;
    }

    /**
     * Adds a listener that starts with the engine.
     *
     * @throws QueueMisuseException when the engine has a listener of the same queue already
     */
    public EngineBuilder listen(Listener<?> listener) {
        Objects.requireNonNull(listener, "listener");
        if (listeners.putIfAbsent(listener.queue(), listener) != null) {
            throw new QueueMisuseException("queue '" + listener.queue()
                    + "' has two listeners in one engine: each message goes to one handler. Remove one of them; or, if each of"
                    + " them is to get every message, publish to a topic and give each a subscription of its own"
                    + " (Listener.onTopic, @QueueListener(topic = …, subscription = …))");
        }
        return this;
    }

    /** Adds a listener that {@link Engine#start} does not start. {@link Engine#listener} starts it later. */
    public EngineBuilder listenLater(Listener<?> listener) {
        listen(listener);
        startedLater.add(listener.queue());
        return this;
    }

    /**
     * Declares a recurring message: {@link Engine#start} adds it, or changes the one of this name if the declaration is another one than at the last start.
     *
     * @throws QueueMisuseException when the engine declares one of the same name already
     */
    public EngineBuilder recurring(Recurring message) {
        Objects.requireNonNull(message, "message");
        Recurring other = recurring.putIfAbsent(message.name(), message);
        if (other != null) {
            throw new QueueMisuseException("recurring message '" + message.name() + "' is declared twice, with "
                    + other.schedule() + " and with " + message.schedule() + ": give each a name of its own");
        }
        return this;
    }

    /**
     * Sets the factory of the workers' threads, for example one of virtual threads. The engine names them, makes them
     * daemons, and uses at most as many at once as the listeners have workers. The engine's own tasks always run on
     * platform threads. Default: platform threads.
     */
    public EngineBuilder workerThreads(ThreadFactory value) {
        workerThreads = Objects.requireNonNull(value, "workerThreads");
        return this;
    }

    /**
     * Names a retry policy for {@link Listener#withRetry(String)}. Listeners that choose none use the one that is named
     * {@code default}.
     */
    public EngineBuilder retryPolicy(String name, RetryPolicy policy) {
        policies.retry(name, policy);
        return this;
    }

    /** Sets the name of the retry policy for a queue whose listener chooses none. */
    public EngineBuilder queueRetry(String queue, String policy) {
        policies.queueRetry(queue, policy);
        return this;
    }

    /** Names a circuit breaker for {@link Listener#withBreaker(String)}. */
    public EngineBuilder breaker(String name, Guard.Source breaker) {
        policies.breaker(name, breaker);
        return this;
    }

    /** Names a rate limit for {@link Listener#withRateLimit(String)}. */
    public EngineBuilder rateLimit(String name, Guard.Source limit) {
        policies.rateLimit(name, limit);
        return this;
    }

    /** Names a bulkhead for {@link Listener#withBulkhead(String)}. */
    public EngineBuilder bulkhead(String name, Guard.Source bulkhead) {
        policies.bulkhead(name, bulkhead);
        return this;
    }

    /**
     * Builds a stopped engine.
     *
     * @throws QueueMisuseException when a listener refers to an unknown name, or when there is neither a codec nor
     *                              Jackson 3 on the class path
     */
    public Engine build() {
        ReceiptSignals receiptSignals = new ReceiptSignals();
        HistoryCounters history = new HistoryCounters(config.history().enabled());
        List<Telemetry> all = new ArrayList<>(List.of(new LoggingTelemetry(), receiptSignals));
        if (history.isEnabled()) {
            all.add(history);
        }
        all.addAll(telemetry);
        Telemetry safeTelemetry = SafeTelemetry.of(all);
        List<Listener<?>> resolved = new ArrayList<>();
        listeners.values().forEach(listener -> resolved.add(policies.resolve(listener)));
        return new Engine(new EngineDefinition(
                store,
                config.withDefaultsFor(listeners.keySet()),
                codec == null ? jsonCodec() : codec,
                List.copyOf(resolved),
                List.copyOf(recurring.values()),
                Set.copyOf(startedLater),
                policies,
                new InterceptorChain(interceptors, safeTelemetry),
                workerThreads,
                safeTelemetry,
                receiptSignals,
                history,
                !telemetry.isEmpty()));
    }

    /** Creates the default codec. Jackson is an optional dependency, which a new application easily forgets. */
    private static Codec jsonCodec() {
        try {
            return new JacksonCodec();
        } catch (NoClassDefFoundError e) {
            throw new QueueMisuseException(
                    "no Codec is set, and the default one needs Jackson 3: add tools.jackson.core:jackson-databind to"
                            + " the application, or set a Codec",
                    e);
        }
    }
}
