package io.acidq.boot;

import io.acidq.engine.EngineBuilder;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.spring.EngineCustomizer;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Gives each engine meters of its own.
 *
 * @param registry   where they are
 * @param properties how the main engine is called there
 */
record EngineMetrics(MeterRegistry registry, ObserveSettings properties) implements EngineCustomizer {

    @Override
    public void customize(String engine, EngineBuilder builder) {
        AcidqMetrics metrics = new AcidqMetrics(registry, properties.tagOf(engine));
        builder.telemetry(metrics).interceptor(metrics);
    }
}
