package io.acidq.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** The name and the key values of the observation of an enqueue. Implementations override what they change. */
public interface PublishConvention extends ObservationConvention<PublishContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof PublishContext;
    }

    @Override
    default String getName() {
        return "acidq.publish";
    }

    @Override
    default String getContextualName(PublishContext context) {
        return "publish " + context.queue();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(PublishContext context) {
        return KeyValues.of(
                KeyValue.of("messaging.system", "acidq"),
                KeyValue.of("messaging.operation.name", "publish"),
                KeyValue.of("messaging.operation.type", "send"),
                KeyValue.of("messaging.destination.name", context.queue()));
    }

    /** Returns the id of a single message, or the number of several. */
    @Override
    default KeyValues getHighCardinalityKeyValues(PublishContext context) {
        if (context.messages() > 1) {
            return KeyValues.of("messaging.batch.message_count", Integer.toString(context.messages()));
        }
        return context.results().isEmpty()
                ? KeyValues.empty()
                : KeyValues.of(
                        "messaging.message.id", context.results().get(0).id().toString());
    }
}
