package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueEngines;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is told of the engine. Immutable.
 *
 * @param mdc          Whether the logging context (MDC) names the message while its handler runs.
 * @param metrics      Whether there are meters and gauges, where there is a MeterRegistry.
 * @param observations Whether publish and process are observed, and trace contexts travel in the headers, where there is an
 *                     ObservationRegistry.
 * @param engine       The value of the tag engine of the main engine's meters; that of a further engine is the name of its QueueEngine bean. Engines of one
 *                     process must not share it.
 * @param gaugePeriod  How often the gauges are sampled. Too short: reads of the database for nobody; too long: alarms come late.
 */
record ObserveSettings(
        @DefaultValue("true") boolean mdc,
        @DefaultValue("true") boolean metrics,
        @DefaultValue("true") boolean observations,
        @DefaultValue("main") String engine,
        @DefaultValue("15s") Duration gaugePeriod) {

    ObserveSettings {
        if (engine.isBlank()) {
            throw new QueueMisuseException(
                    "setting acidq.observe.engine is empty, and each meter has it as a tag: give the engine a name, or leave the property out");
        }
    }

    /** Further engines are called as their beans are. */
    String tagOf(String name) {
        return name.equals(QueueEngines.MAIN) ? engine : name;
    }
}
