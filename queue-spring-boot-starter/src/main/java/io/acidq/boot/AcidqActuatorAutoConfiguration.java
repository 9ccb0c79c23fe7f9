package io.acidq.boot;

import io.acidq.engine.Engine;
import io.acidq.store.Store;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint {@code acidq} and the health of the engine, where there is an actuator. */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnBean(Engine.class)
class AcidqActuatorAutoConfiguration {

    /** See {@link AcidqEndpoint}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Endpoints {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqEndpoint acidqEndpoint(ObjectProvider<Engine> engine) {
            return new AcidqEndpoint(engine);
        }
    }

    /** See {@link AcidqHealthIndicator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Healths {

        @Bean
        @ConditionalOnMissingBean(name = {"acidqHealthIndicator", "acidqHealthContributor"})
        @ConditionalOnEnabledHealthIndicator("acidq")
        HealthIndicator acidqHealthIndicator(ObjectProvider<Engine> engine, Store store) {
            return new AcidqHealthIndicator(engine, new SchemaProbe(store.schema()));
        }
    }
}
