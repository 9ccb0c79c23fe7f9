package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.AuditLog;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.RecurringMessages;
import io.acidq.spring.QueueListener;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application with the Actuator and a tracer, called over HTTP. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ObservabilityIT {

    record Order(String secret) {}

    /** The headers and the logging context of a run. */
    record Seen(Map<String, String> headers, Map<String, String> mdc) {}

    /** Wraps the exporter in a type that Boot does not know. Otherwise Boot would export each span a second time. */
    record Spans(InMemorySpanExporter exporter) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Application {

        @Bean
        Spans spans() {
            return new Spans(InMemorySpanExporter.create());
        }

        @Bean
        SpanProcessor toMemory(Spans spans) {
            return SimpleSpanProcessor.create(spans.exporter());
        }

        @Bean
        Shipping shipping() {
            return new Shipping();
        }
    }

    static class Shipping {

        final List<Seen> seen = new CopyOnWriteArrayList<>();

        @QueueListener(queue = "orders")
        void ship(Order order, Delivery delivery) {
            seen.add(new Seen(delivery.headers(), MDC.getCopyOfContextMap()));
        }

        @QueueListener(queue = "letters")
        Outcome refuse(Order order) {
            return Outcome.dead("not wanted");
        }

        @QueueListener(queue = "held")
        Outcome refuseInOrder(Order order) {
            return Outcome.dead("not wanted");
        }

        @QueueListener(queue = "paused")
        void never(Order order) {}
    }

    /** The application on the current server. It starts once for all tests. */
    private static Running running;

    private final TcpProxy tcpProxy;
    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();
    private final InMemorySpanExporter spans;
    private final Shipping shipping;

    ObservabilityIT(ServerKind kind) {
        if (running == null || running.kind() != kind) {
            close();
            running = Running.start(kind);
        }
        tcpProxy = running.proxy();
        context = running.context();
        spans = context.getBean(Spans.class).exporter();
        shipping = context.getBean(Shipping.class);
    }

    record Running(ServerKind kind, TcpProxy proxy, ConfigurableApplicationContext context) {

        static Running start(ServerKind kind) {
            TestServer server = TestServers.get(kind);
            TcpProxy tcpProxy = new TcpProxy(server.address());
            TestDatabase database = server.through(tcpProxy.address()).createDatabase();
            Map<String, Object> properties = new LinkedHashMap<>();
            properties.put("spring.datasource.url", database.jdbcUrl());
            properties.put("spring.datasource.username", database.username());
            properties.put("spring.datasource.password", database.password());
            properties.put("acidq.initialize-schema", "always");
            properties.put("acidq.heartbeat-interval", "300ms");
            properties.put("acidq.observability.gauge-period", "200ms");
            properties.put("acidq.queues[held].on-dead-head", "block");
            properties.put("server.port", "0");
            properties.put("management.endpoints.web.exposure.include", "acidq,acidqlisteners,acidqrecurring,health");
            properties.put("management.endpoint.health.show-details", "always");
            properties.put("management.tracing.sampling.probability", "1.0");
            ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.SERVLET)
                    .properties(properties)
                    .run();
            return new Running(kind, tcpProxy, context);
        }
    }

    @BeforeEach
    void reset() {
        spans.reset();
        shipping.seen.clear();
    }

    @AfterAll
    static void close() {
        if (running != null) {
            running.context().close();
            running.proxy().close();
            running = null;
        }
    }

    @Test
    void tracesAMessageFromItsProducerToItsListener() {
        Observation request = Observation.start("request", context.getBean(ObservationRegistry.class));
        request.scoped(() -> enqueue("orders", EnqueueOptions.options().key("order-7")));
        request.stop();

        SpanData process = span("process orders", 1).get(0);
        SpanData publish = span("publish orders", 1).get(0);
        SpanData caller = span("request", 1).get(0);
        assertThat(publish.getParentSpanId()).isEqualTo(caller.getSpanId());
        assertThat(process.getTraceId()).isEqualTo(caller.getTraceId());
        assertThat(process.getParentSpanId()).isEqualTo(publish.getSpanId());
        Seen seen = shipping.seen.get(0);
        assertThat(seen.headers().get("traceparent")).contains(publish.getTraceId(), publish.getSpanId());
        assertThat(seen.mdc())
                .containsEntry("acidq.queue", "orders")
                .containsEntry("acidq.key", "order-7")
                .containsEntry("acidq.attempt", "1")
                .containsEntry("traceId", caller.getTraceId())
                .containsKeys("acidq.message", "acidq.claim");
    }

    @Test
    void givesAllMessagesOfAnEnqueueTheSameContext() {
        NewMessage message = NewMessage.of(new Order("s3cret"));
        transaction().executeWithoutResult(status -> queue().enqueueAll("orders", List.of(message, message, message)));

        List<SpanData> processed = span("process orders", 3);
        List<SpanData> published = span("publish orders", 1);
        assertThat(processed)
                .extracting(SpanData::getParentSpanId)
                .containsOnly(published.get(0).getSpanId());
    }

    @Test
    void registersMetersAndGauges() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        double before = enqueued(registry);

        transaction().executeWithoutResult(status -> {
            queue().enqueue("letters", new Order("s3cret"));
            status.setRollbackOnly();
        });
        enqueue("letters", EnqueueOptions.options());

        await().ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(registry.get("acidq.handler")
                                .tags("queue", "letters", "outcome", "dead")
                                .timer()
                                .count())
                        .isPositive());
        assertThat(enqueued(registry)).isEqualTo(before + 1);
        await().ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(registry.get("acidq.backlog")
                                .tags("queue", "letters", "state", "dead", "engine", "main")
                                .gauge()
                                .value())
                        .isPositive());
    }

    @Test
    void pausesAndResumesAQueue() throws Exception {
        assertThat(post("paused/pause", "{\"actor\":\"ann\",\"reason\":\"stocktaking\"}")
                        .path("changed")
                        .asBoolean())
                .isTrue();
        enqueue("paused", EnqueueOptions.options());

        JsonNode paused = get("acidq/paused").path("queue");
        assertThat(paused.path("paused").asBoolean()).isTrue();
        assertThat(paused.path("backlog").path("ready").asInt()).isEqualTo(1);
        await().untilAsserted(() ->
                assertThat(health().path("status").asString()).isEqualTo("UP")); // independent of waiting messages
        await().ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
                                .get("acidq.paused")
                                .tags("queue", "paused")
                                .gauge()
                                .value())
                        .isEqualTo(1));

        assertThat(post("paused/resume", "{\"actor\":\"ann\",\"reason\":\"done\"}")
                        .path("changed")
                        .asBoolean())
                .isTrue();
        await().untilAsserted(() -> assertThat(get("acidq/paused")
                        .path("queue")
                        .path("backlog")
                        .path("ready")
                        .asInt())
                .isZero());
    }

    @Test
    void showsTheReceiptOfAMessage() throws Exception {
        MessageId id = Objects.requireNonNull(transaction()
                .execute(status -> queue().enqueue(
                                "receipts",
                                new Order("s3cret"),
                                EnqueueOptions.options()
                                        .key("k")
                                        .delay(Duration.ofHours(1))
                                        .receipt())
                        .id()));
        assertThat(get("acidq/receipts?key=k").path("state").asString()).isEqualTo("PENDING");
        JsonNode byId = get("acidq/receipts?id=" + id);
        assertThat(byId.path("state").asString()).isEqualTo("PENDING");
        assertThat(byId.path("committed").asString()).isEqualTo("YES");
        assertThat(get("acidq/receipts?key=nobody").path("error").asString()).contains("holds the key 'nobody'");
        assertThat(get("acidq/orders?id=" + id).path("error").asString()).contains("is not of queue 'orders'");
    }

    @Test
    void addsShowsAndRemovesASubscription() throws Exception {
        String actor = "{\"actor\":\"ann\",\"reason\":\"new team\"";
        assertThat(post("order.placed/mail/subscribe", actor + ",\"filter\":\"region = 'eu'\"}")
                        .path("changed")
                        .asBoolean())
                .isTrue();
        transaction()
                .executeWithoutResult(status -> queue().publish(
                                "order.placed",
                                new Order("s3cret"),
                                EnqueueOptions.options().header("region", "eu")));

        assertThat(get("acidq").at("/engines/main/subscriptions/0/queue").asString())
                .isEqualTo("order.placed/mail");
        assertThat(get("acidq/order.placed/mail").at("/queue/backlog/ready").asInt())
                .isEqualTo(1);
        assertThat(refusal("acidq/order.placed/stock/subscribe", actor + ",\"fromArchive\":\"mail\"}"))
                .contains("the field 'since' is missing", "2031-05-01T12:00:00Z");
        assertThat(refusal("acidq/order.placed/stock/subscribe", actor + ",\"since\":\"2020-01-01T00:00:00Z\"}"))
                .contains("the field 'fromArchive' is missing");
        assertThat(refusal(
                        "acidq/order.placed/stock/subscribe",
                        actor + ",\"fromArchive\":\"mail\",\"since\":\"2020-01-01T00:00:00Z\"}"))
                .contains("'mail'", "no message in the archive");
        assertThat(refusal("acidq/order.placed/mail/unsubscribe", actor + "}"))
                .contains("the field 'remaining' is missing", "KEEP, DRAIN or DISCARD");
        assertThat(refusal("acidq/order.placed/unsubscribe", actor + ",\"remaining\":\"KEEP\"}"))
                .contains("needs a topic and a subscription");
        assertThat(post("order.placed/mail/unsubscribe", actor + ",\"remaining\":\"discard\"}")
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(get("acidq").at("/engines/main/subscriptions").isEmpty()).isTrue();
        assertThat(get("acidq/order.placed/mail").at("/queue/backlog/ready").asInt())
                .isZero();
    }

    @Test
    void showsAndChangesARecurringMessage() throws Exception {
        transaction()
                .executeWithoutResult(status -> context.getBean(RecurringMessages.class)
                        .put(Recurring.message(
                                "invoice/7", Schedule.cron("0 0 6 1 * *", "Europe/Berlin"), "invoice.run")));

        assertThat(get("acidqrecurring").at("/recurring/0/name").asString()).isEqualTo("invoice/7");
        assertThat(get("acidqrecurring/invoice/7").at("/nextTicks")).hasSize(10);
        String actor = "{\"actor\":\"ann\",\"reason\":\"audit week\"";
        assertThat(recurring("invoice/7/pause", actor + "}")).isTrue();
        assertThat(recurring("invoice/7/pause", actor + "}")).isFalse();
        assertThat(recurring("invoice/7/trigger", actor + "}")).isTrue();
        assertThat(get("acidqrecurring/invoice/7").at("/ticks/0/result").asString())
                .isEqualTo("TRIGGERED");
        assertThat(recurring("invoice/7/reschedule", actor + ",\"schedule\":\"every 1d\"}"))
                .isTrue();
        assertThat(refusal("acidqrecurring/invoice/7/reschedule", actor + ",\"schedule\":\"every day\"}"))
                .contains("'day' is no duration");
        assertThat(refusal("acidqrecurring/invoice/7/resume", "{\"actor\":\"ann\"}"))
                .contains("the field 'reason' is missing");
        assertThat(refusal("acidqrecurring/invoice/7/resume", "{\"reason\":\"INC-4\"}"))
                .contains("the field 'actor' is missing");
        assertThat(refusal("acidqrecurring/invoice/7/resume", actor + ",\"dryRun\":true}"))
                .contains("no field 'dryRun'");
        assertThat(recurring("invoice/7/remove", actor + "}")).isTrue();
        assertThat(refusal("acidqrecurring/invoice/7/resume", actor + "}"))
                .contains("no recurring message 'invoice/7'");
    }

    @Test
    void replaysDeadLettersAfterADryRun() throws Exception {
        enqueue("letters", EnqueueOptions.options());
        await().untilAsserted(() ->
                assertThat(get("acidq/letters").path("causes").isEmpty()).isFalse());
        JsonNode cause = get("acidq/letters").path("causes").get(0);
        String body = "{\"actor\":\"ann\",\"reason\":\"mended\",\"cause\":\""
                + cause.path("cause").asString() + "\"";

        JsonNode would = post("letters/replay", body + "}");
        assertThat(would.path("dryRun").asBoolean()).isTrue();
        assertThat(would.path("wouldChange").asInt()).isPositive();
        assertThat(would.has("changed")).as("nothing was changed").isFalse();
        assertThat(get("acidq/letters").path("causes").get(0).path("letters").asInt())
                .isEqualTo(would.path("matched").asInt());

        JsonNode did = post("letters/replay", body + ",\"dryRun\":false}");
        assertThat(did.path("dryRun").asBoolean()).isFalse();
        assertThat(did.path("changed").asInt())
                .isEqualTo(would.path("wouldChange").asInt());
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void discardsOneDeadLetterByItsId(CapturedOutput output) throws Exception {
        MessageId id = enqueue("letters", EnqueueOptions.options());
        DeadLetters deadLetters = context.getBean(DeadLetters.class);
        await().until(() -> deadLetters.count(DeadLetterFilter.of(id)) == 1);
        String body = "{\"actor\":\"ann\",\"reason\":\"useless\",\"id\":\"" + id + "\"";

        assertThat(post("letters/discard", body + "}").path("wouldChange").asInt())
                .isEqualTo(1);
        assertThat(post("letters/discard", body + ",\"dryRun\":false}")
                        .path("changed")
                        .asInt())
                .isEqualTo(1);
        assertThat(deadLetters.count(DeadLetterFilter.of(id))).isZero();
        assertThat(context.getBean(AuditLog.class).of(id))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .containsExactly(tuple("discard", "ann", "useless"));
        assertThat(output).contains("ann discarded 1 dead letter of queue letters");
        assertThat(refusal("acidq/letters/discard", body + "}")).contains("message " + id + " is no dead letter");
        assertThat(refusal("acidq/orders/discard", body + "}")).contains("is not a message of queue 'orders'");
    }

    @Test
    void showsAndReleasesABlockedOrderingKey() throws Exception {
        MessageId first = enqueue("held", EnqueueOptions.options().orderingKey("k"));
        MessageId second = enqueue("held", EnqueueOptions.options().orderingKey("k"));
        await().untilAsserted(() -> assertThat(
                        get("acidq/held").at("/blockedKeys/0/deadLetter").asString())
                .isEqualTo(first.toString()));
        String body = "{\"actor\":\"ann\",\"reason\":\"INC-4\",\"orderingKey\":\"k\"";

        assertThat(post("held/release", body + "}").path("wouldChange").asBoolean())
                .isTrue();
        assertThat(post("held/release", body + ",\"dryRun\":false}")
                        .path("changed")
                        .asBoolean())
                .isTrue();
        await().untilAsserted(() -> assertThat(
                        get("acidq/held").at("/blockedKeys/0/deadLetter").asString())
                .isEqualTo(second.toString())); // it ran, and was dead-lettered too
        assertThat(context.getBean(AuditLog.class).of(first))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .containsExactly(tuple("release", "ann", "INC-4"));
        assertThat(refusal("acidq/held/release", body.replace(":\"k\"", ":\"other\"") + "}"))
                .contains("ordering key 'other' of queue 'held' is not blocked");
    }

    @Test
    void cancelsTheMessagesThatMatch() throws Exception {
        EnqueueOptions later = EnqueueOptions.options().delay(Duration.ofHours(1));
        enqueue("orders", later.orderingKey("k-9"));
        enqueue("orders", later);
        String body = "{\"actor\":\"ann\",\"reason\":\"INC-10\",\"orderingKey\":\"k-9\"";
        assertThat(post("orders/cancel", body + "}").path("dryRun").asBoolean()).isTrue();
        JsonNode answer = post("orders/cancel", body + ",\"dryRun\":false,\"before\":\"2100-01-01T00:00:00Z\"}");
        assertThat(answer.path("cancelled").asInt()).isEqualTo(1);
        assertThat(answer.path("complete").asBoolean()).isTrue();
        assertThat(refusal("acidq/orders/cancel", body + ",\"id\":\"x\"}")).contains("for those that match");
    }

    @Test
    void cancelsAMessageByItsIdOrItsKey() throws Exception {
        EnqueueOptions later = EnqueueOptions.options().delay(Duration.ofHours(1));
        MessageId first = enqueue("orders", later);
        enqueue("orders", later.key("second"));
        String actor = "{\"actor\":\"ann\",\"reason\":\"INC-9\"";
        JsonNode answer = post("orders/cancel", actor + ",\"id\":\"" + first + "\"}");
        assertThat(answer.path("result").asString()).isEqualTo("CANCELLED");
        assertThat(post("orders/cancel", actor + ",\"id\":\"" + first + "\"}")
                        .path("result")
                        .asString())
                .isEqualTo("GONE");
        assertThat(post("orders/cancel", actor + ",\"key\":\"second\"}")
                        .path("result")
                        .asString())
                .isEqualTo("CANCELLED");
        assertThat(refusal("acidq/orders/cancel", actor + "}")).contains("needs one of the fields 'id' and 'key'");
        assertThat(refusal("acidq/orders/pause", actor + ",\"key\":\"k\"}")).contains("takes no field 'key'");
        assertThat(context.getBean(AuditLog.class).of(first))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .containsExactly(tuple("cancel", "ann", "INC-9"));
    }

    @Test
    void refusesAFlagThatIsNeitherTrueNorFalse() throws Exception {
        String actor = "{\"actor\":\"ann\",\"reason\":\"x\",\"dryRun\":false";
        assertThat(refusal("acidq/orders/cancel", actor + ",\"claimed\":\"maybe\"}"))
                .contains("the field 'claimed' is 'maybe': write true or false");
        assertThat(post("orders/cancel", actor + ",\"claimed\":\"true\",\"type\":\"none\"}")
                        .path("complete")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void refusesFieldsThatAreUnknownOrNotForTheAction() throws Exception {
        assertThat(refusal("acidq/orders/pause", "{\"actor\":\"ann\",\"reason\":\"x\",\"dry_run\":true}"))
                .contains("there is no field 'dry_run'")
                .contains(
                        "the fields are engine, actor, reason, cause, id, key, orderingKey, filter, fromArchive, since,"
                                + " remaining, type, before, claimed, dryRun");
        assertThat(refusal("acidq/orders/pause", "{\"actor\":\"ann\",\"reason\":\"x\",\"dryRun\":true}"))
                .contains("the action 'pause' takes no field 'dryRun'");
        assertThat(refusal("acidq/orders/pause", "{\"actor\":\"ann\",\"reason\":\"x\",\"queue\":\"letters\"}"))
                .contains("there is no field 'queue'");
        assertThat(get("acidq/orders").at("/queue/paused").asBoolean()).isFalse();
        assertThat(refusal("acidqlisteners/held/pause", "{\"actor\":\"ann\"}"))
                .contains("there is no field 'actor': this request takes none");
    }

    @Test
    void showsTheEngineButNoPayload() throws Exception {
        enqueue("letters", EnqueueOptions.options());
        await().untilAsserted(() ->
                assertThat(get("acidq/letters").path("causes").isEmpty()).isFalse());

        JsonNode overview = get("acidq").path("engines").path("main");
        assertThat(overview.path("database").asString()).isEqualTo("UP");
        assertThat(overview.path("nodes").valueStream().map(n -> n.path("node").asInt()))
                .contains(overview.path("node").asInt());
        assertThat(overview.path("queues").valueStream().map(q -> q.path("name").asString()))
                .contains("orders", "letters", "paused");
        assertThat(overview.toString() + get("acidq/letters")).doesNotContain("s3cret");
    }

    @Test
    void reportsTheProblemOfARequest() throws Exception {
        assertThat(send(request("acidq/no-such-queue").GET().build()).statusCode())
                .isEqualTo(400);
        assertThat(refusal("acidq/orders/pause", "{}")).contains("the field 'actor' is missing");
    }

    /** Takes about five seconds: the pool and the engine detect the outage and its end by timeouts. */
    @Test
    void isDownWithoutDelayDuringAnOutageAndUpAfterIt() throws Exception {
        await().untilAsserted(
                        () -> assertThat(health().path("status").asString()).isEqualTo("UP"));
        tcpProxy.cut();
        try {
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                long probeStart = System.nanoTime();
                JsonNode health = health();
                assertThat(Duration.ofNanos(System.nanoTime() - probeStart)).isLessThan(Duration.ofSeconds(3));
                assertThat(health.path("status").asString()).isEqualTo("DOWN");
            });
            long start = System.nanoTime();
            JsonNode overview = get("acidq").path("engines").path("main");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
            assertThat(overview.path("database").asString()).isEqualTo("DOWN");
            assertThat(overview.path("queues").get(0).path("backlog").isNull()).isTrue();
            for (String path : List.of("acidq/orders", "acidqrecurring", "acidqrecurring/nightly")) {
                assertThat(send(request(path).build()).statusCode()).as(path).isEqualTo(503);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        } finally {
            tcpProxy.mend();
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(health().path("status").asString()).isEqualTo("UP"));
    }

    private static double enqueued(MeterRegistry registry) {
        Counter counter =
                registry.find("acidq.enqueued").tags("queue", "letters").counter();
        return counter == null ? 0 : counter.count();
    }

    private MessageId enqueue(String queue, EnqueueOptions options) {
        return transaction()
                .execute(status ->
                        queue().enqueue(queue, new Order("s3cret"), options).id());
    }

    private TransactionTemplate transaction() {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private MessageQueue queue() {
        return context.getBean(MessageQueue.class);
    }

    private List<SpanData> span(String name, int count) {
        return await().until(
                        () -> spans.getFinishedSpanItems().stream()
                                .filter(s -> s.getName().equals(name))
                                .toList(),
                        found -> found.size() == count);
    }

    /** Returns the health of the engine only: Boot's health of the pool waits for the timeout of the pool. */
    private JsonNode health() throws Exception {
        return get("health/acidq");
    }

    private JsonNode get(String path) throws Exception {
        return json(send(request(path).GET().build()));
    }

    private JsonNode post(String path, String body) throws Exception {
        return json(send(request("acidq/" + path, body)));
    }

    private boolean recurring(String path, String body) throws Exception {
        return json(send(request("acidqrecurring/" + path, body)))
                .path("changed")
                .asBoolean();
    }

    /** Returns the error of a request that is refused with status 400. */
    private String refusal(String path, String body) throws Exception {
        HttpResponse<String> response = send(request(path, body));
        assertThat(response.statusCode()).isEqualTo(400);
        return json(response).path("error").asString();
    }

    private HttpRequest request(String path, String body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .timeout(Duration.ofSeconds(20));
    }
}
