package io.acidq.engine;

import io.acidq.AuditLog;
import io.acidq.DeadLetters;
import io.acidq.Inbox;
import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.resilience.Choice;
import io.acidq.resilience.Guard;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A running AcidQ over one database: enqueues, and runs the handlers of its listeners. Thread-safe. Enqueueing, the inbox and dead
 * letters work from {@link Builder#build} on; messages are processed and old rows removed between {@link #start} and {@link #stop}.
 */
public final class Engine implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final EngineConfig config;
    private final TransactionalQueue queue;
    private final DeadLetterDesk deadLetters;
    private final AuditLog audit;
    private final Builder parts;
    private final QueueCatalog catalog;
    private final Signals signals = new Signals();
    private final TransactionalInbox inbox;
    private @Nullable EngineRun run;
    private @Nullable DutyLoop janitor;

    private Engine(Builder parts) {
        this.parts = parts;
        this.config = parts.config;
        Codec codec = parts.codec();
        this.catalog = new QueueCatalog(parts.store.queues());
        this.queue = new TransactionalQueue(parts.store, codec, config, catalog, signals);
        this.inbox = new TransactionalInbox(parts.store.inbox(), parts.store.transactions(), config.inboxWindow());
        this.deadLetters = new DeadLetterDesk(
                parts.store.dead(), catalog, signals, new SafeTelemetry(parts.telemetry), config.maxPayloadBytes());
        this.audit = new AuditDesk(parts.store.audit());
    }

    public static Builder builder(Store store) {
        return new Builder(store);
    }

    /** Enqueues in the caller's transaction. */
    public MessageQueue queue() {
        return queue;
    }

    /** Does work once for each message from anywhere, in the caller's transaction. */
    public Inbox inbox() {
        return inbox;
    }

    /** Finds, replays and discards dead letters. */
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** Tells who has replayed and discarded dead letters, when, and why. */
    public AuditLog audit() {
        return audit;
    }

    /**
     * Checks the tables; registers as a node and begins to process, when there are listeners; begins to remove old rows in any case. Does
     * nothing when it has been started.
     *
     * @throws QueueMisuseException when the tables are not those that the store needs: it names each difference and its fix
     */
    public synchronized void start() {
        if (janitor != null) {
            return;
        }
        parts.store.schema().check();
        if (!parts.listeners.isEmpty()) {
            EngineRun starting = new EngineRun(parts, catalog, signals);
            starting.start();
            run = starting;
        }
        janitor = janitor();
        janitor.start();
    }

    private DutyLoop janitor() {
        Telemetry telemetry = new SafeTelemetry(parts.telemetry);
        List<Janitor.Part> old = List.of(
                new Janitor.Part(
                        "keys of the inbox", limit -> parts.store.retention().pruneInbox(limit)),
                new Janitor.Part(
                        "message keys", limit -> parts.store.retention().pruneKeys(limit)));
        return new DutyLoop(new Janitor(old, telemetry), new Hints(), telemetry);
    }

    /**
     * Stops in good order: no new claims, what has not started is given back, running handlers finish within the time; those
     * that have not are interrupted and their messages given back.
     *
     * @return whether every handler finished by itself
     */
    public synchronized boolean stop(Duration patience) {
        EngineRun stopping = run;
        run = null;
        boolean clean = stopping == null || stopping.stop(patience);
        stopJanitor();
        return clean;
    }

    private void stopJanitor() {
        DutyLoop stopping = janitor;
        janitor = null;
        try {
            if (stopping != null) {
                stopping.stop(GRACE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops with the configured patience. */
    @Override
    public void close() {
        stop(config.stopTimeout());
    }

    /** The queues that this engine processes now, with what holds up their starts; empty when it does not run. */
    public synchronized List<QueueState> queues() {
        return run == null ? List.of() : run.states();
    }

    public synchronized boolean isRunning() {
        return run != null;
    }

    /** The number of the node that this engine is at the moment; 0 when it is none. */
    public synchronized int node() {
        return run == null ? 0 : run.node();
    }

    /** Puts an engine together. Not thread-safe. */
    public static final class Builder {

        final Store store;
        final Map<String, Listener<?>> listeners = new LinkedHashMap<>();
        final KnownPolicies known = new KnownPolicies();
        final List<Telemetry> telemetry = new ArrayList<>(List.of(new LoggingTelemetry()));
        EngineConfig config = EngineConfig.defaults();
        private @Nullable Codec codec;

        private Builder(Store store) {
            this.store = store;
        }

        public Builder config(EngineConfig value) {
            config = value;
            return this;
        }

        /** How payloads are encoded; JSON by Jackson unless set. */
        public Builder codec(Codec value) {
            codec = value;
            return this;
        }

        /** Adds one that hears of every transition. */
        public Builder telemetry(Telemetry value) {
            telemetry.add(value);
            return this;
        }

        /** Adds a listener; a queue has at most one in an engine. */
        public Builder listen(Listener<?> listener) {
            if (listeners.putIfAbsent(listener.queue(), listener) != null) {
                throw new QueueMisuseException("queue '" + listener.queue()
                        + "' has two listeners in one engine: each message goes to one handler, so remove one of them");
            }
            return this;
        }

        /** Names a policy for {@link Listener#withRetry(String)}; the one named {@code default} is that of listeners that choose none. */
        public Builder retryPolicy(String name, RetryPolicy policy) {
            KnownPolicies.put(known.retries, name, policy, "retry policy");
            return this;
        }

        /** Sets the policy, by its name, of a queue whose listener chooses none. */
        public Builder queueRetry(String queue, String policy) {
            KnownPolicies.put(known.retryOfQueue, queue, Choice.named(policy), "the retry policy of queue");
            return this;
        }

        /** Names a circuit breaker for {@link Listener#withBreaker(String)}. */
        public Builder breaker(String name, Guard.Source breaker) {
            KnownPolicies.put(known.breakers, name, breaker, "breaker");
            return this;
        }

        /** Names a rate limit for {@link Listener#withRateLimit(String)}. */
        public Builder rateLimit(String name, Guard.Source limit) {
            KnownPolicies.put(known.rateLimits, name, limit, "rate limit");
            return this;
        }

        /** Names a bulkhead for {@link Listener#withBulkhead(String)}. */
        public Builder bulkhead(String name, Guard.Source bulkhead) {
            KnownPolicies.put(known.bulkheads, name, bulkhead, "bulkhead");
            return this;
        }

        /**
         * Puts it together.
         *
         * @throws QueueMisuseException when a listener refers to a name that is not known
         */
        public Engine build() {
            listeners.replaceAll((queue, listener) -> known.resolve(listener));
            return new Engine(this);
        }

        Codec codec() {
            return codec == null ? new JacksonCodec() : codec;
        }
    }
}
