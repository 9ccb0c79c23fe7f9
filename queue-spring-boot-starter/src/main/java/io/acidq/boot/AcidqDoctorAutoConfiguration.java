package io.acidq.boot;

import io.acidq.config.EngineConfig;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A {@link Doctor} that knows the main engine's pool and node, others for further engines, and the Actuator's endpoint that asks them. */
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

    /** Makes doctors that know an engine's settings, its node and its pool. */
    static final class EngineDoctors {

        private final QueueEngines engines;
        private final EnginePools pools;

        EngineDoctors(QueueEngines engines, EnginePools pools) {
            this.engines = engines;
            this.pools = pools;
        }

        /**
         * One for the database of an engine.
         *
         * @throws io.acidq.QueueMisuseException when there is no engine of that name
         */
        Doctor of(String engine) {
            Engine chosen = engines.engine(engine);
            return new Doctor(EngineDefinition.of(chosen).store(), () -> options(chosen));
        }

        DoctorOptions options(Engine engine) {
            EngineConfig settings = EngineDefinition.of(engine).config();
            DoctorOptions options = DoctorOptions.of(Clock.systemUTC()).withMaxPayloadBytes(settings.maxPayloadBytes());
            Duration twoBeats = settings.heartbeatInterval().multipliedBy(2);
            if (twoBeats.compareTo(options.patience()) > 0) {
                options = options.withPatience(twoBeats);
            }
            int node = engine.node();
            DoctorOptions here = node == 0 ? options : options.withNode(node);
            return pools.size(EngineDefinition.of(engine).store())
                    .map(here::withPoolSize)
                    .orElse(here);
        }
    }
}
