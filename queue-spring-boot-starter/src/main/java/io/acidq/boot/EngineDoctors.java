package io.acidq.boot;

import io.acidq.config.EngineConfig;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.Premises;
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
        return new Doctor(chosen.parts().store(), () -> premises(chosen));
    }

    Premises premises(Engine engine) {
        EngineConfig settings = engine.parts().config();
        Premises premises = Premises.of(Clock.systemUTC()).withMaxPayloadBytes(settings.maxPayloadBytes());
        Duration twoBeats = settings.beat().multipliedBy(2);
        if (twoBeats.compareTo(premises.patience()) > 0) {
            premises = premises.withPatience(twoBeats);
        }
        int node = engine.node();
        Premises here = node == 0 ? premises : premises.withNode(node);
        return pools.size(engine.parts().store()).map(here::withPoolSize).orElse(here);
    }
}
