package io.acidq.boot;

import io.acidq.boot.AcidqProperties.ObservabilitySettings;
import io.acidq.engine.EngineBuilder;
import io.acidq.micrometer.AcidqGauges;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.spring.EngineCustomizer;
import io.acidq.spring.QueueEngines;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** The meters of each engine, and its gauges, which are sampled between its start and its stop. */
final class EngineMeters implements EngineCustomizer, SmartLifecycle {

    /** One after the engines'. */
    private static final int PHASE = Integer.MAX_VALUE - 99;

    private final MeterRegistry registry;
    private final ObservabilitySettings properties;
    private final ObjectProvider<QueueEngines> engines;
    private final List<AcidqGauges> gauges = new ArrayList<>();

    EngineMeters(MeterRegistry registry, ObservabilitySettings properties, ObjectProvider<QueueEngines> engines) {
        this.registry = registry;
        this.properties = properties;
        this.engines = engines;
    }

    /** Gives an engine meters of its own. */
    @Override
    public void customize(String engine, EngineBuilder builder) {
        AcidqMetrics metrics = new AcidqMetrics(registry, properties.tagOf(engine));
        builder.telemetry(metrics).interceptor(metrics);
    }

    @Override
    public synchronized void start() {
        if (gauges.isEmpty()) {
            engines.getObject().all().forEach((name, engine) -> {
                AcidqGauges starting =
                        new AcidqGauges(registry, properties.tagOf(name), engine, properties.gaugePeriod());
                starting.start();
                gauges.add(starting);
            });
        }
    }

    @Override
    public synchronized void stop() {
        gauges.forEach(AcidqGauges::close);
        gauges.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !gauges.isEmpty();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
