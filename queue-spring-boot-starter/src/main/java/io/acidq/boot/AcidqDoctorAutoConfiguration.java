package io.acidq.boot;

import io.acidq.config.EngineConfig;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.Premises;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A {@link Doctor} who knows the application's pool and node, and the Actuator's endpoint that asks it. */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnBean(Store.class)
class AcidqDoctorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Doctor acidqDoctor(
            Store store,
            ObjectProvider<Engine> engine,
            ObjectProvider<EngineConfig> config,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return new Doctor(store, () -> premises(engine, config, poolSize(dataSource, pools)));
    }

    private static Premises premises(
            ObjectProvider<Engine> engine, ObjectProvider<EngineConfig> config, Optional<Integer> poolSize) {
        EngineConfig settings = config.getIfAvailable(EngineConfig::defaults);
        Premises premises = Premises.of(Clock.systemUTC()).withMaxPayloadBytes(settings.maxPayloadBytes());
        if (settings.beat().multipliedBy(2).compareTo(premises.patience()) > 0) {
            premises = premises.withPatience(settings.beat().multipliedBy(2));
        }
        Engine running = engine.getIfAvailable();
        int node = running == null ? 0 : running.node();
        Premises here = node == 0 ? premises : premises.withNode(node);
        return poolSize.map(here::withPoolSize).orElse(here);
    }

    /** Of the one (or primary) DataSource, by whichever pool Boot knows. */
    private static Optional<Integer> poolSize(
            ObjectProvider<DataSource> dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        DataSource only = dataSource.getIfUnique();
        if (only == null) {
            return Optional.empty();
        }
        return pools.orderedStream()
                .map(provider -> provider.getDataSourcePoolMetadata(only))
                .filter(Objects::nonNull)
                .map(DataSourcePoolMetadata::getMax)
                .filter(most -> most != null && most > 0)
                .findFirst();
    }

    /** Only with the Actuator, and where the endpoint is exposed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqDoctorEndpoint acidqDoctorEndpoint(Doctor doctor) {
            return new AcidqDoctorEndpoint(doctor);
        }
    }
}
