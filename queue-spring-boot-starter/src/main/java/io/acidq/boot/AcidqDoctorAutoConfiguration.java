package io.acidq.boot;

import io.acidq.doctor.Doctor;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A {@link Doctor} who knows the main engine's pool and node, others for further engines, and the Actuator's endpoint that asks it. */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnBean({Store.class, EnginePools.class})
class AcidqDoctorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Doctor acidqDoctor(Store store, QueueEngines engines, EngineDoctors doctors) {
        return new Doctor(store, () -> doctors.options(engines.engine(QueueEngines.MAIN)));
    }

    @Bean
    EngineDoctors acidqEngineDoctors(QueueEngines engines, EnginePools pools) {
        return new EngineDoctors(engines, pools);
    }

    /** Only with the Actuator, and where the endpoint is exposed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        AcidqDoctorEndpoint acidqDoctorEndpoint(Doctor doctor, EngineDoctors doctors) {
            return new AcidqDoctorEndpoint(doctor, doctors);
        }
    }
}
