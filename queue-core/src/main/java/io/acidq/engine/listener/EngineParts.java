package io.acidq.engine.listener;

import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/**
 * What an engine was built of.
 *
 * @param store     the database
 * @param config    the settings
 * @param codec     how payloads are encoded
 * @param listeners with their retry policies at hand
 * @param later     the queues whose listeners are started when they are asked to, not with the engine
 * @param known     what listeners may name
 * @param interceptors called around handlers and enqueues
 * @param threads   makes the threads of workers
 * @param telemetry hears of everything, and throws nothing
 */
public record EngineParts(
        Store store,
        EngineConfig config,
        Codec codec,
        List<Listener<?>> listeners,
        Set<String> later,
        PolicyRegistry known,
        InterceptorChain interceptors,
        ThreadFactory threads,
        Telemetry telemetry) {}
