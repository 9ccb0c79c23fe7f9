package io.acidq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Interceptor.Enqueueing;
import io.acidq.Interceptor.Handling;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelBaggageManager;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QueueObservationsTest {

    private static final MessageId ID = new MessageId("orders", 0, UUID.randomUUID());

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final ObservationRegistry registry = traced(spans);
    private final QueueObservations observations = new QueueObservations(registry);

    @Test
    void propagatesTheTraceOfTheProducerToTheConsumer() {
        Enqueueing publishing = observations.enqueueing("orders", List.of(NewMessage.of("one")));
        Map<String, String> headers = Map.copyOf(publishing.headers());
        publishing.ended(List.of(new Enqueued(ID, Enqueued.Result.ENQUEUED)));

        QueueObservations otherProcess = new QueueObservations(traced(spans));
        otherProcess.handling(List.of(message(headers))).ended(List.of(Outcome.done()));

        SpanData publish = spans.getFinishedSpanItems().get(0);
        SpanData process = spans.getFinishedSpanItems().get(1);
        assertThat(headers.get("traceparent")).contains(publish.getTraceId()).contains(publish.getSpanId());
        assertThat(publish.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(attribute(publish, "messaging.message.id")).isEqualTo(ID.toString());
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(process.getTraceId()).isEqualTo(publish.getTraceId());
        assertThat(process.getParentSpanId()).isEqualTo(publish.getSpanId());
    }

    @Test
    void isAChildOfTheCallersObservation() {
        Observation request = Observation.start("request", registry);
        try (Observation.Scope scope = request.openScope()) {
            observations
                    .enqueueing("orders", List.of(NewMessage.of("one")))
                    .ended(List.of(new Enqueued(ID, Enqueued.Result.ENQUEUED)));
            assertThat(registry.getCurrentObservation()).isSameAs(request);
        }
        request.stop();

        SpanData publish = spans.getFinishedSpanItems().get(0);
        SpanData caller = spans.getFinishedSpanItems().get(1);
        assertThat(publish.getParentSpanId()).isEqualTo(caller.getSpanId());
    }

    @Test
    void namesQueueMessageAndOutcome() {
        observations.handling(List.of(message(Map.of()))).ended(List.of(Outcome.dead("no")));

        SpanData process = spans.getFinishedSpanItems().get(0);
        assertThat(process.getName()).isEqualTo("process orders");
        assertThat(attribute(process, "messaging.system")).isEqualTo("acidq");
        assertThat(attribute(process, "messaging.operation.name")).isEqualTo("process");
        assertThat(attribute(process, "messaging.destination.name")).isEqualTo("orders");
        assertThat(attribute(process, "messaging.message.id")).isEqualTo(ID.toString());
        assertThat(attribute(process, "acidq.outcome")).isEqualTo("dead");
    }

    @Test
    void endsWithAnErrorWhenTheHandlerFailsAndLeavesNothingOnTheThread() {
        Handling first = observations.handling(List.of(message(Map.of())));
        assertThat(registry.getCurrentObservation()).isNotNull();

        first.failed(new IllegalStateException("out of stock"));

        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(spans.getFinishedSpanItems().get(0).getStatus().getStatusCode())
                .isEqualTo(StatusData.error().getStatusCode());
        observations.handling(List.of(message(Map.of()))).ended(List.of(Outcome.done()));
        assertThat(spans.getFinishedSpanItems().get(1).getParentSpanContext().isValid())
                .isFalse();
        assertThat(spans.getFinishedSpanItems().get(1).getTraceId())
                .isNotEqualTo(spans.getFinishedSpanItems().get(0).getTraceId());
    }

    @Test
    void givesABatchOfSeveralSendersNoParent() {
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Delivery one = message(Map.of("traceparent", traceparent));

        observations.handling(List.of(one, one)).ended(List.of(Outcome.done(), Outcome.dead("no")));

        SpanData process = spans.getFinishedSpanItems().get(0);
        assertThat(process.getParentSpanContext().isValid()).isFalse();
        assertThat(attribute(process, "messaging.batch.message_count")).isEqualTo("2");
        assertThat(attribute(process, "acidq.outcome")).isEqualTo("mixed");
    }

    @Test
    void usesTheConventionOfTheApplication() {
        QueueObservations own = observations.withConvention(new ProcessConvention() {
            @Override
            public String getContextualName(ProcessContext context) {
                return "work on " + context.queue();
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(ProcessContext context) {
                return ProcessConvention.super
                        .getLowCardinalityKeyValues(context)
                        .and("team", "shipping");
            }
        });

        own.handling(List.of(message(Map.of()))).ended(List.of(Outcome.done()));

        assertThat(spans.getFinishedSpanItems().get(0).getName()).isEqualTo("work on orders");
        assertThat(attribute(spans.getFinishedSpanItems().get(0), "team")).isEqualTo("shipping");
    }

    @Test
    void doesNothingWithANoopRegistry() {
        QueueObservations none = new QueueObservations(ObservationRegistry.NOOP);

        assertThat(none.enqueueing("orders", List.of())).isNull();
        assertThat(none.handling(List.of())).isNull();
    }

    private static ObservationRegistry traced(InMemorySpanExporter spans) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build();
        io.opentelemetry.api.trace.Tracer otel = provider.get("test");
        OtelCurrentTraceContext current = new OtelCurrentTraceContext();
        OtelTracer tracer =
                new OtelTracer(otel, current, event -> {}, new OtelBaggageManager(current, List.of(), List.of()));
        OtelPropagator propagator =
                new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig()
                .observationHandler(
                        new io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler(
                                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                                new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                                new DefaultTracingObservationHandler(tracer)));
        return registry;
    }

    private static String attribute(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    private static Delivery message(Map<String, String> headers) {
        return delivery(Map.of("id", ID, "headers", headers, "attempt", 1));
    }

    /** A delivery whose methods return the values of their names. */
    static Delivery delivery(Map<String, Object> values) {
        return (Delivery) Proxy.newProxyInstance(
                Delivery.class.getClassLoader(),
                new Class<?>[] {Delivery.class},
                (proxy, method, args) -> values.get(method.getName()));
    }
}
