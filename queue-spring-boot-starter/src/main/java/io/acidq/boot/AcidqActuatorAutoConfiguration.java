package io.acidq.boot;

import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListenerRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the endpoints {@code acidq} and {@code acidqlisteners}, and of the health of the engines, if the Actuator is present. */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
class AcidqActuatorAutoConfiguration {

    /** {@link AcidqEndpoint} and {@link AcidqListenersEndpoint}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Engine.class)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Endpoints {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqEndpoint acidqEndpoint(QueueEngines engines) {
            return new AcidqEndpoint(engines);
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqListenersEndpoint acidqListenersEndpoint(QueueListenerRegistry listeners) {
            return new AcidqListenersEndpoint(listeners);
        }
    }

    /** The {@link AcidqHealthIndicator}. Several engines have one each, by name, and together they are DOWN if one is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Engine.class)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Healths {

        @Bean
        @ConditionalOnMissingBean(name = {"acidqHealthIndicator", "acidqHealthContributor"})
        @ConditionalOnEnabledHealthIndicator("acidq")
        HealthContributor acidqHealthIndicator(QueueEngines engines) {
            Map<String, HealthIndicator> each = new LinkedHashMap<>();
            engines.names().forEach(name -> each.put(name, new AcidqHealthIndicator(() -> engines.engine(name))));
            return each.size() == 1 ? each.values().iterator().next() : CompositeHealthContributor.fromMap(each);
        }
    }

    /**
     * The health without an engine: UNKNOWN, which does not worsen an aggregate. A health group may name {@code acidq} also with {@code
     * acidq.enabled=false}, and Boot would not start without a contributor of that name.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Engine.class)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class NoHealth {

        @Bean
        @ConditionalOnMissingBean(name = {"acidqHealthIndicator", "acidqHealthContributor"})
        @ConditionalOnEnabledHealthIndicator("acidq")
        HealthIndicator acidqHealthIndicator(@Value("${acidq.enabled:true}") boolean enabled) {
            String reason = enabled ? "there is no database for it" : "acidq.enabled=false";
            return () ->
                    Health.unknown().withDetail("engine", "none: " + reason).build();
        }
    }
}
