package io.acidq.engine.work;

import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.KnownPolicies;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.List;

/**
 * What an engine was built of.
 *
 * @param store     the database
 * @param config    the settings
 * @param codec     how payloads are encoded
 * @param listeners with their retry policies at hand
 * @param known     what listeners may name
 * @param telemetry hears of everything, and throws nothing
 */
public record EngineParts(
        Store store,
        EngineConfig config,
        Codec codec,
        List<Listener<?>> listeners,
        KnownPolicies known,
        Telemetry telemetry) {}
