package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interceptor that observes each enqueue ({@code acidq.publish}, a producer) and each call of a handler ({@code acidq.process}, a consumer). If
 * the registry has a tracer, the headers of a message carry the trace context of its enqueue. The span of the enqueue is then the parent of the
 * handler's span, also in another process. Pass it to {@code EngineBuilder#interceptor}. Immutable.
 */
public final class QueueObservations implements Interceptor {

    private static final PublishConvention PUBLISH = new PublishConvention() {};
    private static final ProcessConvention PROCESS = new ProcessConvention() {};

    private final ObservationRegistry registry;
    private final @Nullable PublishConvention publish;
    private final @Nullable ProcessConvention process;

    /** Creates observations with the default names and keys, or those of a convention of the registry. */
    public QueueObservations(ObservationRegistry registry) {
        this(registry, null, null);
    }

    private QueueObservations(
            ObservationRegistry registry, @Nullable PublishConvention publish, @Nullable ProcessConvention process) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.publish = publish;
        this.process = process;
    }

    /** Returns a copy with another convention for enqueues. */
    public QueueObservations withConvention(PublishConvention value) {
        return new QueueObservations(registry, value, process);
    }

    /** Returns a copy with another convention for handlers. */
    public QueueObservations withConvention(ProcessConvention value) {
        return new QueueObservations(registry, publish, value);
    }

    @Override
    public @Nullable Enqueueing enqueueing(String destination, List<NewMessage> messages) {
        if (registry.isNoop()) {
            return null;
        }
        PublishContext context = new PublishContext(destination, messages.size());
        return new Publishing(
                Observed.begin(Observation.createNotStarted(publish, PUBLISH, () -> context, registry)), context);
    }

    @Override
    public @Nullable Handling handling(List<Delivery> deliveries) {
        if (registry.isNoop()) {
            return null;
        }
        ProcessContext context = new ProcessContext(deliveries);
        return new Processing(
                Observed.begin(Observation.createNotStarted(process, PROCESS, () -> context, registry)), context);
    }

    /** A started observation whose scope is open on this thread. */
    private record Observed(Observation observation, Observation.Scope scope) {

        static Observed begin(Observation observation) {
            observation.start();
            return new Observed(observation, observation.openScope());
        }

        void end() {
            try {
                scope.close(); // before stop(), which can throw: the next message must not see this scope
            } finally {
                observation.stop();
            }
        }

        void fail(Throwable failure) {
            observation.error(failure);
            end();
        }
    }

    private record Publishing(Observed observed, PublishContext context) implements Enqueueing {

        @Override
        public Map<String, String> headers() {
            Map<String, String> carrier = context.getCarrier();
            return carrier == null ? Map.of() : carrier;
        }

        @Override
        public void ended(List<Enqueued> results) {
            context.ended(results);
            observed.end();
        }

        @Override
        public void failed(Throwable failure) {
            observed.fail(failure);
        }
    }

    private record Processing(Observed observed, ProcessContext context) implements Handling {

        @Override
        public void ended(List<Outcome> outcomes) {
            context.ended(outcomes);
            observed.end();
        }

        @Override
        public void failed(Throwable failure) {
            observed.fail(failure);
        }
    }
}
