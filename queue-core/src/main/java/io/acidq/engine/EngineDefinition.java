package io.acidq.engine;

import io.acidq.Recurring;
import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.admin.RecurringAdmin;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.loop.ReceiptSignals;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.TickEnqueuer;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;

/**
 * The parts of which an engine was built. Not part of the public API: AcidQ's own modules use it to create variants of
 * an engine for tests and to read its settings. Immutable.
 *
 * @param store         the database
 * @param config        the settings
 * @param codec         encodes and decodes payloads
 * @param listeners     the listeners, with their retry policies resolved
 * @param recurring     the recurring messages that each start declares
 * @param startedLater  the queues whose listeners do not start with the engine
 * @param policies      the policies and guards that listeners refer to by name
 * @param interceptors  called around enqueues and handlers
 * @param workerThreads creates the threads of the workers
 * @param telemetry     receives the events; never throws
 * @param receiptSignals wakes those who wait for the end of a message; receives the events too
 * @param history       counts what the engine does, for the history; receives the events too
 * @param hasTelemetry  whether the application has added a receiver of events, such as one for metrics
 */
public record EngineDefinition(
        Store store,
        EngineConfig config,
        Codec codec,
        List<Listener<?>> listeners,
        List<Recurring> recurring,
        Set<String> startedLater,
        PolicyRegistry policies,
        InterceptorChain interceptors,
        ThreadFactory workerThreads,
        Telemetry telemetry,
        ReceiptSignals receiptSignals,
        HistoryCounters history,
        boolean hasTelemetry) {

    /** Returns the parts of which an engine was built. */
    public static EngineDefinition of(Engine engine) {
        return engine.definition();
    }

    /** Creates the states of the listeners before the first start, by the name of the queue. */
    Map<String, ListenerState> listenerStates() {
        return listeners.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Listener::queue, listener -> new ListenerState(!startedLater.contains(listener.queue()))));
    }

    /** Creates the queue that enqueues without interceptors. */
    TransactionalQueue transactionalQueue(QueueRegistry queues, WakeUps wakeUps, LocalWorkers localWorkers) {
        return new TransactionalQueue(
                store, codec, config, queues, wakeUps, localWorkers, listeners, history, telemetry);
    }

    TickEnqueuer tickEnqueuer(TransactionalQueue queue) {
        return new TickEnqueuer(store.recurring(), store.transactions(), queue, interceptors, codec, telemetry);
    }

    /**
     * @param onChange called after a change of a recurring message
     */
    RecurringAdmin recurringAdmin(
            TransactionalQueue queue, TickEnqueuer tickEnqueuer, QueueRegistry queues, Runnable onChange) {
        return new RecurringAdmin(
                store.recurring(), store.transactions(), queue, tickEnqueuer, queues, codec, onChange);
    }
}
