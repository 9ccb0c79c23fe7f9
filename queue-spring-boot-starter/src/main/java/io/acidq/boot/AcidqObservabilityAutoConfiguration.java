package io.acidq.boot;

import io.acidq.micrometer.AcidqMetrics;
import io.acidq.micrometer.ProcessConvention;
import io.acidq.micrometer.PublishConvention;
import io.acidq.micrometer.QueueObservations;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import io.acidq.telemetry.MdcInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What observes the engine: the logging context always, Micrometer where it is there. */
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
}
