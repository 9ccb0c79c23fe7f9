package io.acidq.boot;

import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.EngineConfig;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.WorkerThreads;
import io.acidq.store.Store;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of the engine, its annotations and its settings, over the store of {@link AcidqStoreAutoConfiguration} or of the application. */
@AutoConfiguration(
        after = AcidqStoreAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(AcidqProperties.class)
@EnableAcidQ
class AcidqAutoConfiguration {

    @Bean
    static PropertyPolicyRegistrar acidqPropertyPolicies(
            Environment environment, ConfigurableListableBeanFactory beanFactory) {
        return new PropertyPolicyRegistrar(environment, beanFactory);
    }

    @Bean
    @ConditionalOnMissingBean
    EngineConfig acidqEngineConfig(AcidqProperties properties) {
        return properties.engineConfig();
    }

    @Bean
    QueuePropertiesCustomizer acidqQueuePropertiesCustomizer(AcidqProperties properties) {
        return new QueuePropertiesCustomizer(properties);
    }

    @Bean
    DriverOptions acidqDriverOptions(QueueEngines engines) {
        return new DriverOptions(engines);
    }

    @Bean
    EnginePools acidqPools(
            QueueEngines engines,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return new EnginePools(engines, dataSource, pools);
    }

    @Bean
    Resilience4jGuardFinder acidqResilience4jGuardFinder(
            ObjectProvider<CircuitBreakerRegistry> breakers,
            ObjectProvider<RateLimiterRegistry> limiters,
            ObjectProvider<BulkheadRegistry> bulkheads) {
        return new Resilience4jGuardFinder(breakers, limiters, bulkheads);
    }

    /** Creates the tables for stores of the application. {@link AcidqStoreAutoConfiguration} does it for its own store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(AcidqStoreAutoConfiguration.class)
    static class StoreOfTheApplication {

        @Bean
        static SchemaInitialization.OfOwnStores acidqOwnStoreSchemas(ObjectProvider<AcidqProperties> properties) {
            return new SchemaInitialization.OfOwnStores(properties);
        }
    }

    /** The codec, with the ObjectMapper of the application if there is exactly one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    static class Json {

        @Bean
        @ConditionalOnMissingBean
        Codec acidqCodec(
                ObjectProvider<JsonMapper> json, ObjectProvider<ObjectMapper> any, AcidqProperties properties) {
            ObjectMapper mapper = json.getIfUnique();
            ObjectMapper used = mapper == null ? any.getIfUnique() : mapper;
            AcidqProperties.PayloadSettings payload = properties.payload();
            return (used == null ? new JacksonCodec() : new JacksonCodec(used))
                    .withRoundTripCheck(payload.checkRoundTrip())
                    .withCheckOfEveryPayload(payload.checkEveryPayload())
                    .withEntities(payload.allowEntities())
                    .withFailOnUnknownFields(payload.failOnUnknownFields())
                    .withFailOnMissingFields(payload.failOnMissingFields());
        }
    }

    /** Virtual threads for workers, if {@code spring.threads.virtual.enabled} is set and the JVM is Java 21 or later. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnThreading(Threading.VIRTUAL)
    static class VirtualThreads {

        @Bean
        @ConditionalOnMissingBean
        WorkerThreads acidqWorkerThreads(EnginePools pools) {
            return new WorkerThreads(
                    new VirtualThreadTaskExecutor().getVirtualThreadFactory(),
                    pools.main().orElse(null));
        }
    }
}
