package io.acidq.engine;

import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.listener.ListenerState;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;

/**
 * What an engine was built of. Not part of the public API: it serves AcidQ's own modules, which make variants of an engine for tests or read its
 * settings. Immutable.
 *
 * @param store         the database
 * @param config        the settings
 * @param codec         encodes and decodes payloads
 * @param listeners     the listeners, with their retry policies resolved
 * @param startedLater  the queues whose listeners do not start with the engine
 * @param policies      the policies and guards that listeners refer to by name
 * @param interceptors  called around enqueues and handlers
 * @param workerThreads makes the threads of workers
 * @param telemetry     receives every event; throws nothing
 */
public record EngineDefinition(
        Store store,
        EngineConfig config,
        Codec codec,
        List<Listener<?>> listeners,
        Set<String> startedLater,
        PolicyRegistry policies,
        InterceptorChain interceptors,
        ThreadFactory workerThreads,
        Telemetry telemetry) {

    /** Returns what the engine was built of. */
    public static EngineDefinition of(Engine engine) {
        return engine.definition();
    }

    /** Creates the states of the listeners before the first start, by the name of the queue. */
    Map<String, ListenerState> listenerStates() {
        return listeners.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Listener::queue, listener -> new ListenerState(!startedLater.contains(listener.queue()))));
    }
}
