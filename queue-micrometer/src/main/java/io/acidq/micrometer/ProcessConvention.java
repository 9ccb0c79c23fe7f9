package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.List;

/** The name and the key values of the observation of a handler. Implementations override what they change. */
public interface ProcessConvention extends ObservationConvention<ProcessContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof ProcessContext;
    }

    @Override
    default String getName() {
        return "acidq.process";
    }

    @Override
    default String getContextualName(ProcessContext context) {
        return "process " + context.queue();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(ProcessContext context) {
        return KeyValues.of(
                KeyValue.of("messaging.system", "acidq"),
                KeyValue.of("messaging.operation.name", "process"),
                KeyValue.of("messaging.operation.type", "process"),
                KeyValue.of("messaging.destination.name", context.queue()),
                KeyValue.of("acidq.outcome", outcome(context.outcomes())));
    }

    /** Returns the id and the attempt of a single message, or the number of several. */
    @Override
    default KeyValues getHighCardinalityKeyValues(ProcessContext context) {
        List<Delivery> deliveries = context.deliveries();
        Delivery first = deliveries.get(0);
        return deliveries.size() > 1
                ? KeyValues.of("messaging.batch.message_count", Integer.toString(deliveries.size()))
                : KeyValues.of(
                        KeyValue.of("messaging.message.id", first.id().toString()),
                        KeyValue.of("acidq.attempt", Integer.toString(first.attempt())));
    }

    /** Returns the outcome of all messages: {@code none} if the handler threw, {@code mixed} if they differ. */
    private static String outcome(List<Outcome> outcomes) {
        List<String> names = outcomes.stream().map(OutcomeName::of).distinct().toList();
        return names.isEmpty() ? "none" : names.size() == 1 ? names.get(0) : "mixed";
    }
}
