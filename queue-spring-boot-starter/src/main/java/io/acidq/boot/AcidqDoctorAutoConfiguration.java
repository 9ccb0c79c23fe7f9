package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of a {@link Doctor} that knows the pool and the node of the main engine, of doctors for further engines, and of the endpoint. */
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

    /** The endpoint, if the Actuator is present and exposes it. */
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

    /** Creates doctors that know the settings, the node and the pool of an engine. */
    static final class EngineDoctors {

        private final QueueEngines engines;
        private final EnginePools pools;

        EngineDoctors(QueueEngines engines, EnginePools pools) {
            this.engines = engines;
            this.pools = pools;
        }

        /**
         * Creates a doctor for the database of an engine.
         *
         * @throws QueueMisuseException if there is no engine with this name
         */
        Doctor of(String engine) {
            Engine chosen = engines.engine(engine);
            return new Doctor(EngineDefinition.of(chosen).store(), () -> options(chosen));
        }

        DoctorOptions options(Engine engine) {
            EngineConfig settings = EngineDefinition.of(engine).config();
            DoctorOptions options = DoctorOptions.of(Clock.systemUTC()).withMaxPayloadBytes(settings.maxPayloadBytes());
            Duration twoHeartbeats = settings.heartbeatInterval().multipliedBy(2);
            if (twoHeartbeats.compareTo(options.watchTime()) > 0) {
                options = options.withWatchTime(twoHeartbeats);
            }
            int node = engine.node();
            DoctorOptions withNode = node == 0 ? options : options.withNode(node);
            return pools.size(EngineDefinition.of(engine).store())
                    .map(withNode::withPoolSize)
                    .orElse(withNode);
        }
    }

    /**
     * The endpoint {@code acidqdoctor}, which examines the database at each read. That takes some seconds, so it is not for frequent probes. The
     * fields are those of the command line's JSON.
     */
    @Endpoint(id = "acidqdoctor")
    static final class AcidqDoctorEndpoint {

        private final Doctor doctor;
        private final EngineDoctors doctors;

        AcidqDoctorEndpoint(Doctor doctor, EngineDoctors doctors) {
            this.doctor = doctor;
            this.doctors = doctors;
        }

        /**
         * Examines the database of an engine.
         *
         * @param engine the name of the engine; the main engine if null
         */
        @ReadOperation
        WebEndpointResponse<Map<String, Object>> examine(@Nullable String engine) {
            Doctor chosen = doctor;
            if (engine != null && !engine.equals(QueueEngines.MAIN)) {
                try {
                    chosen = doctors.of(engine);
                } catch (QueueMisuseException e) {
                    return new WebEndpointResponse<>(
                            Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
                }
            }
            return new WebEndpointResponse<>(chosen.examine().toFields());
        }
    }
}
