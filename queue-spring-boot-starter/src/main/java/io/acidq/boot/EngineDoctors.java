package io.acidq.boot;

import io.acidq.config.EngineConfig;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import java.time.Clock;
import java.time.Duration;

/** Doctors who know an engine's settings, its node and its pool. */
final class EngineDoctors {

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
        return new Doctor(chosen.parts().store(), () -> options(chosen));
    }

    DoctorOptions options(Engine engine) {
        EngineConfig settings = engine.parts().config();
        DoctorOptions options = DoctorOptions.of(Clock.systemUTC()).withMaxPayloadBytes(settings.maxPayloadBytes());
        Duration twoBeats = settings.beat().multipliedBy(2);
        if (twoBeats.compareTo(options.patience()) > 0) {
            options = options.withPatience(twoBeats);
        }
        int node = engine.node();
        DoctorOptions here = node == 0 ? options : options.withNode(node);
        return pools.size(engine.parts().store()).map(here::withPoolSize).orElse(here);
    }
}
