package io.acidq.boot;

import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListenerRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
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

/** Auto-configuration of the endpoints {@code acidq}, {@code acidqlisteners} and {@code acidqrecurring}, and of the health of the engines, if the Actuator is present. */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
class AcidqActuatorAutoConfiguration {

    /** {@link AcidqEndpoint}, {@link AcidqListenersEndpoint} and {@link AcidqRecurringEndpoint}. */
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
        OperationInvokerAdvisor acidqUnknownFieldsAdvisor() {
            return new UnknownFieldsAdvisor();
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqListenersEndpoint acidqListenersEndpoint(QueueListenerRegistry listeners) {
            return new AcidqListenersEndpoint(listeners);
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqRecurringEndpoint acidqRecurringEndpoint(QueueEngines engines) {
            return new AcidqRecurringEndpoint(engines);
        }
    }

    /**
     * Refuses a request that changes something if it has a field that its operation does not know, which the Actuator would ignore: a mistyped {@code dryrun} or
     * {@code cause} must not change more than was meant.
     */
    private static final class UnknownFieldsAdvisor implements OperationInvokerAdvisor {

        private static final Set<EndpointId> ENDPOINTS =
                Set.of(EndpointId.of("acidq"), EndpointId.of("acidqlisteners"), EndpointId.of("acidqrecurring"));

        @Override
        public OperationInvoker apply(
                EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
            if (type != OperationType.WRITE || !ENDPOINTS.contains(endpoint)) {
                return invoker;
            }
            Set<String> known =
                    parameters.stream().map(OperationParameter::getName).collect(Collectors.toSet());
            String fields = parameters.stream()
                    .filter(parameter -> parameter.getAnnotation(Selector.class) == null)
                    .map(OperationParameter::getName)
                    .collect(Collectors.joining(", "));
            return context -> {
                for (String field : context.getArguments().keySet()) {
                    if (!known.contains(field)) {
                        return AcidqEndpoint.refused(
                                WebEndpointResponse.STATUS_BAD_REQUEST,
                                "there is no field '" + field + "': "
                                        + (fields.isEmpty() ? "this request takes none" : "the fields are " + fields));
                    }
                }
                return invoker.invoke(context);
            };
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
