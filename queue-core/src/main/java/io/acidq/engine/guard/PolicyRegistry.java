package io.acidq.engine.guard;

import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Listener.GuardRefs;
import io.acidq.resilience.Guard;
import io.acidq.resilience.NamedOrGiven;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The retry policies and guards with a name, and the defaults of listeners that set none. */
public final class PolicyRegistry {

    /** The name of the default retry policy. */
    static final String DEFAULT = "default";

    private final Map<String, RetryPolicy> retries = new HashMap<>();
    private final Map<String, NamedOrGiven<RetryPolicy>> retryOfQueue = new HashMap<>();
    private final Map<String, Guard.Source> breakers = new HashMap<>();
    private final Map<String, Guard.Source> rateLimits = new HashMap<>();
    private final Map<String, Guard.Source> bulkheads = new HashMap<>();

    /** Defines a retry policy. */
    public void retry(String name, RetryPolicy policy) {
        put(retries, name, policy, "retry policy");
    }

    /** Sets the retry policy, by its name, of a queue whose listener sets none. */
    public void queueRetry(String queue, String policy) {
        put(retryOfQueue, queue, NamedOrGiven.named(policy), "retry policy of queue");
    }

    public void breaker(String name, Guard.Source breaker) {
        put(breakers, name, breaker, "breaker");
    }

    public void rateLimit(String name, Guard.Source limit) {
        put(rateLimits, name, limit, "rate limit");
    }

    public void bulkhead(String name, Guard.Source bulkhead) {
        put(bulkheads, name, bulkhead, "bulkhead");
    }

    private static <T> void put(Map<String, T> known, String name, T value, String what) {
        Objects.requireNonNull(value, what);
        if (name == null || name.isBlank()) {
            throw new QueueMisuseException(
                    what + " has a name that is null or blank: give a name, which listeners then refer to");
        }
        if (known.putIfAbsent(name, value) != null) {
            throw new QueueMisuseException(what + " '" + name + "' is defined twice: remove one of them");
        }
    }

    /** Returns the listener with its retry policy: its own, else that of its queue, else the default of the engine, else {@link RetryPolicy#defaults}. */
    public <T> Listener<T> resolve(Listener<T> listener) {
        String queue = listener.queue();
        listener.guards().breaker().resolve(breakers, describe(queue, "breaker"));
        listener.guards().rateLimit().resolve(rateLimits, describe(queue, "rate limit"));
        listener.guards().bulkhead().resolve(bulkheads, describe(queue, "bulkhead"));
        RetryPolicy policy = listener.retry().resolve(retries, describe(queue, "retry policy"));
        if (policy == null) {
            policy = retryOfQueue
                    .getOrDefault(queue, NamedOrGiven.none())
                    .resolve(retries, "the default of queue '" + queue + "' is the retry policy");
        }
        return listener.withRetry(policy == null ? retries.getOrDefault(DEFAULT, RetryPolicy.defaults()) : policy);
    }

    /** Returns a factory for one run of an engine. It creates each guard with a name once. */
    public GuardFactory guardFactory(LongSupplier nanoTime, Telemetry telemetry) {
        return new GuardFactory(nanoTime, telemetry);
    }

    /** Creates the guards of one run of an engine. */
    public final class GuardFactory {
        private final Map<String, Guard> shared = new HashMap<>();
        private final LongSupplier nanoTime;
        private final Telemetry telemetry;

        GuardFactory(LongSupplier nanoTime, Telemetry telemetry) {
            this.nanoTime = nanoTime;
            this.telemetry = telemetry;
        }

        /** Creates the guards of a listener. The rate limit is the last one, because its permits cannot be returned when another guard refuses the start. */
        public StartGuards guardsOf(Listener<?> listener) {
            String queue = listener.queue();
            GuardRefs refs = listener.guards();
            List<Guard> guards = Stream.of(
                            guard("bulkhead", refs.bulkhead(), bulkheads, queue),
                            guard("breaker", refs.breaker(), breakers, queue),
                            guard("rate limit", refs.rateLimit(), rateLimits, queue))
                    .flatMap(Optional::stream)
                    .toList();
            return guards.isEmpty() ? StartGuards.NONE : new StartGuards(queue, guards, nanoTime, telemetry);
        }

        private Optional<Guard> guard(
                String kind, NamedOrGiven<Guard.Source> ref, Map<String, Guard.Source> known, String queue) {
            Guard.Source source = ref.resolve(known, describe(queue, kind));
            if (source == null) {
                return Optional.empty();
            }
            String name = ref.name();
            return Optional.of(
                    name == null
                            ? source.guard(queue, nanoTime)
                            : shared.computeIfAbsent(kind + ' ' + name, k -> source.guard(name, nanoTime)));
        }
    }

    private static String describe(String queue, String kind) {
        return "the listener of queue '" + queue + "' names the " + kind;
    }
}
