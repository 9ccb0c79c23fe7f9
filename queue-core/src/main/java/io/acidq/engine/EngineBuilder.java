package io.acidq.engine;

import io.acidq.Interceptor;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.interceptor.InterceptorChain;
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

/** Puts an {@link Engine} together. Not thread-safe. */
public final class EngineBuilder {

    private final Store store;
    private final Map<String, Listener<?>> listeners = new LinkedHashMap<>();
    private final PolicyRegistry policies = new PolicyRegistry();
    private final List<Telemetry> telemetry = new ArrayList<>(List.of(new LoggingTelemetry()));
    private final List<Interceptor> interceptors = new ArrayList<>();
    private final Set<String> startedLater = new HashSet<>();
    private EngineConfig config = EngineConfig.defaults();
    private ThreadFactory threads = Thread::new;
    private @Nullable Codec codec;

    EngineBuilder(Store store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    public EngineBuilder config(EngineConfig value) {
        config = Objects.requireNonNull(value, "config");
        return this;
    }

    /** How payloads are encoded; JSON by Jackson unless set. */
    public EngineBuilder codec(Codec value) {
        codec = Objects.requireNonNull(value, "codec");
        return this;
    }

    /** Adds one that hears of every transition. */
    public EngineBuilder telemetry(Telemetry value) {
        telemetry.add(Objects.requireNonNull(value, "telemetry"));
        return this;
    }

    /** Adds one that stands around each enqueue and each call of a handler, inside those added before it. */
    public EngineBuilder interceptor(Interceptor value) {
        interceptors.add(Objects.requireNonNull(value, "interceptor"));
        return this;
    }

    /** Adds a listener; a queue has at most one in an engine. */
    public EngineBuilder listen(Listener<?> listener) {
        Objects.requireNonNull(listener, "listener");
        if (listeners.putIfAbsent(listener.queue(), listener) != null) {
            throw new QueueMisuseException("queue '" + listener.queue()
                    + "' has two listeners in one engine: each message goes to one handler, so remove one of them");
        }
        return this;
    }

    /** Adds a listener that {@link Engine#start} does not start: {@link Engine#listener} does. */
    public EngineBuilder listenLater(Listener<?> listener) {
        listen(listener);
        startedLater.add(listener.queue());
        return this;
    }

    /**
     * How the threads of workers are made: virtual threads, say. They get their names from the engine, and are daemons. Not more of them at
     * once than the listeners' workers; the engine's tasks keep plain threads of their own. Plain threads unless set.
     */
    public EngineBuilder workerThreads(ThreadFactory value) {
        threads = Objects.requireNonNull(value, "threads");
        return this;
    }

    /** Names a policy for {@link Listener#withRetry(String)}; the one named {@code default} is that of listeners that choose none. */
    public EngineBuilder retryPolicy(String name, RetryPolicy policy) {
        policies.retry(name, policy);
        return this;
    }

    /** Sets the policy, by its name, of a queue whose listener chooses none. */
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
     * Puts it together.
     *
     * @throws QueueMisuseException when a listener refers to a name that is not known, or when there is neither a codec nor Jackson 3
     */
    public Engine build() {
        Telemetry all = SafeTelemetry.of(telemetry);
        List<Listener<?>> resolved = new ArrayList<>();
        listeners.values().forEach(listener -> resolved.add(policies.resolve(listener)));
        return new Engine(new EngineDefinition(
                store,
                config.withDefaultsFor(listeners.keySet()),
                codec == null ? json() : codec,
                List.copyOf(resolved),
                Set.copyOf(startedLater),
                policies,
                new InterceptorChain(interceptors, all),
                threads,
                all));
    }

    /** Jackson is an optional dependency, and the first that a new application forgets. */
    private static Codec json() {
        try {
            return new JacksonCodec();
        } catch (NoClassDefFoundError e) {
            throw new QueueMisuseException(
                    "no Codec was given, and the default one misses Jackson 3: add tools.jackson.core:jackson-databind to the"
                            + " application, or give the engine a Codec of its own",
                    e);
        }
    }
}
