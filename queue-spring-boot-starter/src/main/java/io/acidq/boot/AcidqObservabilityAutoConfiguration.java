package io.acidq.boot;

import io.acidq.boot.AcidqProperties.ObservabilitySettings;
import io.acidq.engine.EngineBuilder;
import io.acidq.micrometer.AcidqGauges;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.micrometer.ProcessConvention;
import io.acidq.micrometer.PublishConvention;
import io.acidq.micrometer.QueueObservations;
import io.acidq.spring.EngineCustomizer;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import io.acidq.telemetry.MdcInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of observability: the logging context, and Micrometer if it is present. */
@AutoConfiguration(
        after = AcidqStoreAutoConfiguration.class,
        before = AcidqAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(AcidqProperties.class)
class AcidqObservabilityAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(prefix = "acidq.observability", name = "mdc", matchIfMissing = true)
    MdcInterceptor acidqMdcInterceptor() {
        return new MdcInterceptor();
    }

    /** Meters and gauges. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean(AcidqMetrics.class)
    @ConditionalOnProperty(prefix = "acidq.observability", name = "metrics", matchIfMissing = true)
    static class Metrics {

        @Bean
        EngineMeters acidqEngineMeters(
                MeterRegistry registry, AcidqProperties properties, ObjectProvider<QueueEngines> engines) {
            return new EngineMeters(registry, properties.observability(), engines);
        }
    }

    /** Observations around publish and process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnProperty(prefix = "acidq.observability", name = "observations", matchIfMissing = true)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean
        QueueObservations acidqObservations(
                ObservationRegistry registry,
                ObjectProvider<PublishConvention> publish,
                ObjectProvider<ProcessConvention> process) {
            QueueObservations observations = new QueueObservations(registry);
            PublishConvention publishing = publish.getIfUnique();
            ProcessConvention processing = process.getIfUnique();
            observations = publishing == null ? observations : observations.withConvention(publishing);
            return processing == null ? observations : observations.withConvention(processing);
        }
    }

    /** The meters of each engine, and its gauges, which are sampled while the engines run. */
    static final class EngineMeters implements EngineCustomizer, SmartLifecycle {

        /** Starts after the engines, and stops before them. */
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

        /** Adds separate meters to each engine. */
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
}
