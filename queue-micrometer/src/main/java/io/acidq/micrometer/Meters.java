package io.acidq.micrometer;

import io.acidq.QueueMisuseException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.function.Supplier;

/**
 * Creates the meters of one engine. Thread-safe.
 *
 * @param registry the registry of the meters
 * @param engine   the value of the tag {@code engine}
 */
record Meters(MeterRegistry registry, String engine) {

    Counter counter(AcidqMeter meter, String... values) {
        return Counter.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    Timer timer(AcidqMeter meter, String... values) {
        return Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    DistributionSummary summary(AcidqMeter meter, String... values) {
        return DistributionSummary.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    /**
     * Registers a gauge.
     *
     * @throws QueueMisuseException if it is registered already. The registry would keep the first one, and show one engine's values for both
     */
    Gauge gauge(AcidqMeter meter, Supplier<Number> value, String... values) {
        Tags tags = tags(meter, values);
        if (registry.find(meter.meterName()).tags(tags).gauge() != null) {
            throw new QueueMisuseException("meter " + meter.meterName() + " of engine '" + engine
                    + "' is registered already: give each engine of a process its own name, and sample it once");
        }
        return Gauge.builder(meter.meterName(), value)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private Tags tags(AcidqMeter meter, String... values) {
        Tags tags = Tags.of("engine", engine);
        List<String> names = meter.tags();
        for (int i = 0; i < names.size(); i++) {
            tags = tags.and(names.get(i), values[i]);
        }
        return tags;
    }
}
