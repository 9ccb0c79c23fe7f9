package io.acidq.boot;

import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.EngineConfig;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.QueueEngines;
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
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** The engine, its annotations and its settings, over the store of {@link AcidqStoreAutoConfiguration} or of the application. */
@AutoConfiguration(
        after = AcidqStoreAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(AcidqProperties.class)
@EnableAcidQ
@Import(VirtualThreads.class)
class AcidqAutoConfiguration {

    @Bean
    static NamedPolicies acidqNamedPolicies(Environment environment) {
        return new NamedPolicies(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    EngineConfig acidqEngineConfig(AcidqProperties properties) {
        return properties.engineConfig();
    }

    @Bean
    QueueSettings acidqQueueSettings(AcidqProperties properties) {
        return new QueueSettings(properties);
    }

    @Bean
    EnginePools acidqPools(
            ObjectProvider<DataSource> dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return new EnginePools(dataSource, pools);
    }

    @Bean
    EngineDrivers acidqEngineDrivers(QueueEngines engines) {
        return new EngineDrivers(engines);
    }

    @Bean
    PoolSize acidqPoolSize(QueueEngines engines, EnginePools pools) {
        return new PoolSize(engines, pools);
    }

    @Bean
    UnusedRetryPolicies acidqUnusedRetryPolicies(ConfigurableListableBeanFactory beanFactory) {
        return new UnusedRetryPolicies(beanFactory);
    }

    @Bean
    RegistryGuards acidqRegistryGuards(
            ObjectProvider<CircuitBreakerRegistry> breakers,
            ObjectProvider<RateLimiterRegistry> limiters,
            ObjectProvider<BulkheadRegistry> bulkheads) {
        return new RegistryGuards(breakers, limiters, bulkheads);
    }

    /** The other store's tables are seen to where it is made. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(AcidqStoreAutoConfiguration.class)
    static class StoreOfTheApplication {

        @Bean
        static OwnStoreSchemas acidqOwnStoreSchemas(ObjectProvider<AcidqProperties> properties) {
            return new OwnStoreSchemas(properties);
        }
    }

    /** JSON as the application writes it elsewhere. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    static class Json {

        @Bean
        @ConditionalOnMissingBean
        Codec acidqCodec(ObjectProvider<JsonMapper> json, ObjectProvider<ObjectMapper> any) {
            ObjectMapper mapper = json.getIfUnique();
            ObjectMapper used = mapper == null ? any.getIfUnique() : mapper;
            return used == null ? new JacksonCodec() : new JacksonCodec(used);
        }
    }
}
