package io.acidq.boot;

import io.acidq.engine.Engine;
import io.acidq.micrometer.AcidqGauges;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** Samples the gauges of the one engine of the application, between its start and its stop. */
final class GaugesLifecycle implements SmartLifecycle {

    /** One after the engine's. */
    private static final int PHASE = Integer.MAX_VALUE - 99;

    private final MeterRegistry registry;
    private final ObserveSettings properties;
    private final ObjectProvider<Engine> engine;
    private @Nullable AcidqGauges gauges;

    GaugesLifecycle(MeterRegistry registry, ObserveSettings properties, ObjectProvider<Engine> engine) {
        this.registry = registry;
        this.properties = properties;
        this.engine = engine;
    }

    @Override
    public synchronized void start() {
        Engine only = engine.getIfUnique();
        if (only != null && gauges == null) {
            AcidqGauges starting = new AcidqGauges(registry, properties.engine(), only, properties.gaugePeriod());
            starting.start();
            gauges = starting;
        }
    }

    @Override
    public synchronized void stop() {
        if (gauges != null) {
            gauges.close();
            gauges = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return gauges != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
