package io.acidq.dashboard;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.DeadHeadPolicy;
import io.acidq.EnqueueOptions;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.route.Route;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.LimitedAccount;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every route on tables with messages. Each answer is checked against openapi.yaml. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class ApiIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String API = "api/v1/";
    private static final String ERROR = "no such customer, password=hunter2\nsecond line";

    @Parameter
    private ServerKind kind;

    private final OpenApiDescription description = new OpenApiDescription();
    private TestDatabase database;
    private HikariDataSource pool;
    private TestDataSource dataSource;
    private JdbcTransactions transactions;
    private Engine engine;
    private Dashboard dashboard;

    /** A payload with a value that is masked. */
    record Order(String customer, String password) {}

    @BeforeParameterizedClassInvocation
    void fillTheTables() {
        database = TestServers.get(kind).createDatabase();
        pool = TestDataSource.pool(database);
        dataSource = pool::getConnection;
        Schema.create(dataSource);
        transactions = new JdbcTransactions(dataSource);
        engine = Engine.builder(MyBatisStore.over(dataSource, transactions)).build();
        dashboard = dashboard().build();
    }

    @AfterParameterizedClassInvocation
    void closeThePool() {
        pool.close();
    }

    private Dashboard.Builder dashboard() {
        return Dashboard.builder()
                .engine(Dashboard.MAIN, engine)
                .roles(Level.VIEWER, "view")
                .roles(Level.OPERATOR, "operate")
                .roles(Level.ADMIN, "admin")
                .unmaskedRoles("unmasked");
    }

    private MessageId enqueue(String queue, EnqueueOptions options) {
        return transactions.call(() -> engine.queue()
                .enqueue(queue, new Order("ann", "hunter2"), options)
                .id());
    }

    /** Makes dead letters of all messages of a queue, in another engine. */
    private void makeDead(String queue, QueueConfig config, int letters) {
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .config(EngineConfig.defaults().withQueue(queue, config))
                .listen(Listener.on(queue, Order.class, (order, delivery) -> Outcome.dead(ERROR)))
                .build()) {
            worker.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> worker.backlog(queue).dead() == letters);
        }
    }

    private List<MessageId> deadLetters(String queue, int letters) {
        List<MessageId> ids = new ArrayList<>();
        for (int i = 0; i < letters; i++) {
            ids.add(enqueue(queue, options().key("order number " + i)));
        }
        makeDead(queue, QueueConfig.defaults(), letters);
        return ids;
    }

    private static TestRequest get(String path, Object... namesAndValues) {
        return TestRequest.get(API + path, map(namesAndValues)).as("ann", "admin");
    }

    private static TestRequest post(String path, Object... namesAndValues) {
        return TestRequest.post(API + path, map(namesAndValues)).as("ann", "admin");
    }

    private static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            map.put((String) namesAndValues[i], value instanceof MessageId ? value.toString() : value);
        }
        return map;
    }

    private DashboardResponse handle(Dashboard target, TestRequest request) {
        DashboardRequest built = request.build();
        DashboardResponse response = target.handle(built);
        description.check(built.method(), built.path(), response);
        return response;
    }

    private JsonNode ask(TestRequest request) {
        return ask(dashboard, request);
    }

    private JsonNode ask(Dashboard target, TestRequest request) {
        DashboardResponse response = handle(target, request);
        assertThat(response.status()).as(text(response)).isEqualTo(200);
        return json(response);
    }

    private String refused(TestRequest request, int status) {
        return refused(dashboard, request, status);
    }

    private String refused(Dashboard target, TestRequest request, int status) {
        DashboardResponse response = handle(target, request);
        assertThat(response.status()).as(text(response)).isEqualTo(status);
        return json(response).path("error").asString();
    }

    private static JsonNode json(DashboardResponse response) {
        return new JsonMapper().readTree(response.body());
    }

    private static String text(DashboardResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private List<String> audited(String queue) {
        return engine.audit().recent(1_000).stream()
                .filter(entry -> entry.queue().equals(queue))
                .map(entry -> entry.action() + " by " + entry.actor() + ": " + entry.reason())
                .toList();
    }

    @Test
    void theSessionNamesUserPermissionsAndEngines() {
        ask(get("queues"));
        JsonNode session = ask(
                dashboard().environment("production").build(), get("session").as("vic", "view"));

        assertThat(session.at("/user").toString()).isEqualTo("{\"name\":\"vic\",\"permissions\":[\"VIEW\"]}");
        assertThat(session.at("/environment").asString()).isEqualTo("production");
        assertThat(session.at("/engines/0/name").asString()).isEqualTo("main");
        assertThat(ask(get("session")).at("/engines/0/state").asString()).isEqualTo("UP");
        assertThat(ask(get("session")).at("/engines/0/server").asString()).isNotEmpty();
        assertThat(refused(get("queues", "engine", "other"), 404))
                .contains("there is no engine 'other'; there are: main");
    }

    /** Adds numbers to the minute that was some minutes ago, as an engine does. */
    private void addHistory(String queue, int minutesAgo, String columns, String values) {
        String at = "TIMESTAMP(DATE_FORMAT(UTC_TIMESTAMP() - INTERVAL " + minutesAgo + " MINUTE, '%Y-%m-%d %H:%i:00'))";
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO acidq_history (step, queue, at, " + columns + ") VALUES (1, "
                    + QueueStore.numberOf(queue) + ", " + at + ", " + values + ")");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long sum(JsonNode series) {
        long sum = 0;
        for (JsonNode value : series) {
            sum += value.asLong(0);
        }
        return sum;
    }

    @Test
    void showsTheHistoryOfAQueue() {
        enqueue("course.a", options());
        addHistory("course.a", 20, "done, run5, ready, oldest_micros", "30, 30, 7, 9000000");

        JsonNode history =
                ask(get("history", "queue", "course.a", "series", "done,dead,runP95,ready,oldest", "range", 60));
        assertThat(history.path("step").asInt()).isEqualTo(60);
        int slots = history.path("times").size();
        assertThat(slots).isBetween(57, 60);
        assertThat(history.path("series").path("done")).hasSize(slots);
        assertThat(sum(history.path("series").path("done"))).isEqualTo(30);
        assertThat(sum(history.path("series").path("dead"))).as("0, not null").isZero();
        assertThat(history.path("series").path("dead").get(0).isNull()).isFalse();
        assertThat(history.path("series").path("ready").get(0).isNull())
                .as("not counted")
                .isTrue();
        assertThat(sum(history.path("series").path("ready"))).isEqualTo(7);
        assertThat(sum(history.path("series").path("oldest"))).isEqualTo(9);
        assertThat(sum(history.path("series").path("runP95"))).isBetween(17L, 32L);
        assertThat(history.path("series").size()).isEqualTo(5);

        JsonNode month = ask(get("history", "queue", "course.a", "range", 43_200));
        assertThat(month.path("step").asInt()).isEqualTo(7_200);
        assertThat(month.path("times").size()).isLessThanOrEqualTo(400);
        assertThat(month.path("series").size()).isEqualTo(20);
    }

    @Test
    void theHistoryOfAllQueuesHasOnlyThoseThatTheUserMaySee() {
        enqueue("sum.a", options());
        enqueue("sum.b", options());
        addHistory("sum.a", 10, "crashed", "3");
        addHistory("sum.b", 10, "crashed", "4");
        AccessPolicy onlyA = (user, permission, engineName, queue) -> queue == null || !queue.equals("sum.b");

        TestRequest all = get("history", "series", "crashed");
        assertThat(sum(ask(dashboard().build(), all).at("/series/crashed"))).isEqualTo(7);
        assertThat(sum(ask(dashboard().policy(onlyA).build(), all).at("/series/crashed")))
                .isEqualTo(3);
    }

    @Test
    void refusesAHistoryThatItCannotRead() {
        enqueue("refused.history", options());
        assertThat(refused(get("history", "series", "done,nope"), 400)).contains("there is no series 'nope'");
        assertThat(refused(get("history", "queue", "nosuchqueue"), 404)).contains("there is no queue");
        assertThat(refused(get("history", "step", 7), 400)).contains("must be 1, 10 or a multiple of 60");
        assertThat(refused(get("history", "range", 1_440, "step", 1), 400)).contains("at most 400 slots");
        assertThat(refused(get("history", "since", "2031-05-01T12:00:00Z", "until", "2020-05-01T12:00:00Z"), 400))
                .contains("'since' must be before 'until'");
        assertThat(refused(get("history", "since", "1990-05-01T12:00:00Z"), 400))
                .contains("400 days");
        assertThat(refused(get("history", "until", "-999999999-01-01T00:00:00Z"), 400))
                .contains("the parameter 'until' must lie between 1970-01-01");
    }

    @Test
    void aRangeThatBeginsWithinASlotHasALongerStepIfItNeedsOne() {
        enqueue("ragged", options());
        JsonNode history = ask(
                get("history", "queue", "ragged", "since", "2026-01-01T00:30:00Z", "until", "2026-01-17T16:30:00Z"));
        assertThat(history.path("step").asInt()).isEqualTo(7_200);
    }

    @Test
    void listsWhatTheNodesRun() {
        MessageId id = enqueue("ran.queue", options());
        NodeStore nodes = MyBatisStore.over(dataSource).nodes();
        NodeRow row = new NodeRow(Map.of(QueueStore.numberOf("ran.queue"), 2), "host-1", "9.9");
        int node = nodes.register(row);
        nodes.writeReport(
                node,
                new NodeReport(List.of(new NodeReport.ServedQueue(
                        "ran.queue",
                        2,
                        1,
                        3,
                        List.of("breaker 'b' stops"),
                        "",
                        List.of(new NodeReport.RunningMessage(id, Duration.ofSeconds(42)))))));

        JsonNode found = node(ask(dashboard().build(), get("nodes")), node);
        assertThat(found.path("version").asString()).isEqualTo("9.9");
        assertThat(found.path("queues").toString()).isEqualTo("[\"ran.queue\"]");
        assertThat(found.at("/work/0/running").asInt()).isOne();
        assertThat(found.at("/work/0/guards/0").asString()).isEqualTo("breaker 'b' stops");
        assertThat(found.at("/longestRuns/0/id").asString()).isEqualTo(id.toString());
        assertThat(found.at("/longestRuns/0/seconds").asInt()).isBetween(42, 90);
        AccessPolicy others = (user, permission, engineName, queue) -> queue == null || !queue.equals("ran.queue");
        assertThat(node(ask(dashboard().policy(others).build(), get("nodes")), node)
                        .isMissingNode())
                .as("without its only queue")
                .isTrue();
        nodes.markStopped(node, row.registrationId());
        assertThat(node(ask(dashboard().build(), get("nodes")), node).isMissingNode())
                .isTrue();
    }

    private static JsonNode node(JsonNode answer, int number) {
        for (JsonNode each : answer.path("nodes")) {
            if (each.path("node").asInt() == number) {
                return each;
            }
        }
        return answer.path("no such node");
    }

    @Test
    void listsQueuesWithTheRatesOfTheLastMinutes() {
        enqueue("rated.queue", options());
        addHistory("rated.queue", 4, "enqueued, done, retried, dead, run5", "50, 30, 2, 1, 30");
        Dashboard fresh = dashboard().build();

        JsonNode queue = ask(fresh, get("queues", "q", "rated.queue")).at("/queues/0");
        assertThat(queue.path("enqueuedPerMinute").asDouble()).isEqualTo(10);
        assertThat(queue.path("donePerMinute").asDouble()).isEqualTo(6);
        assertThat(queue.path("failedPerMinute").asDouble()).isEqualTo(0.6);
        assertThat(queue.path("p95Seconds").asDouble()).isBetween(0.017, 0.032);
        assertThat(sum(queue.path("course"))).isEqualTo(30);
        assertThat(ask(fresh, get("queue", "queue", "rated.queue"))
                        .path("donePerMinute")
                        .asDouble())
                .isEqualTo(6);
        assertThat(ask(fresh, get("overview")).at("/rates/done").asDouble()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void listsQueuesWithTheirNumbers() {
        enqueue("numbers.a", options());
        enqueue("numbers.a", options());
        enqueue("numbers.b", options().delay(Duration.ofHours(1)));
        Dashboard fresh = dashboard().build();

        JsonNode queues = ask(fresh, get("queues", "q", "NUMBERS")).path("queues");

        assertThat(queues).hasSize(2);
        assertThat(queues.at("/0/queue").asString()).isEqualTo("numbers.a");
        assertThat(queues.at("/0/ready").asInt()).isEqualTo(2);
        assertThat(queues.at("/0/complete").asBoolean()).isTrue();
        assertThat(queues.at("/1/scheduled").asInt()).isEqualTo(1);
        assertThat(ask(fresh, get("queues", "q", "numbers", "limit", 1))
                        .path("complete")
                        .asBoolean())
                .isFalse();

        assertThat(ask(fresh, get("queues", "q", "numbers", "sort", "scheduled"))
                        .at("/queues/0/queue")
                        .asString())
                .isEqualTo("numbers.b");
        assertThat(refused(get("queues", "sort", "age"), 400)).contains("oldest");

        JsonNode overview = ask(fresh, get("overview"));
        assertThat(overview.at("/totals/ready").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(overview.path("attention").toString()).contains("\"NO_LISTENER\"", "queue?queue=numbers.a");
        assertThat(ask(fresh, get("queue", "queue", "numbers.a")).path("ready").asInt())
                .isEqualTo(2);
        assertThat(refused(fresh, get("queue", "queue", "Numbers.A"), 404))
                .contains("there is no queue 'Numbers.A'; the names most like it: numbers.a");
        assertThat(refused(get("queue", "queue", "a b"), 400)).contains("not allowed");
    }

    @Test
    void aListenerIsSeenWithItsNode() {
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .listen(Listener.on("served", Order.class, (order, delivery) -> Outcome.done()))
                .build()) {
            worker.start();
            Dashboard here = Dashboard.builder().engine(Dashboard.MAIN, worker).build();
            await().atMost(PATIENCE).until(() -> worker.isRunning());

            JsonNode queue = ask(here, TestRequest.get(API + "queue", Map.of("queue", "served")));
            JsonNode nodes = ask(here, TestRequest.get(API + "nodes", Map.of()));

            assertThat(queue.at("/listeners/0/workers").asInt()).isPositive();
            assertThat(queue.at("/servedBy/0/node").asInt()).isEqualTo(worker.node());
            assertThat(nodes.path("nodes").toString()).contains("\"node\":" + worker.node(), "\"queues\":[\"served\"]");
        }
    }

    @Test
    void pausesAndResumesAQueueInTheNameOfTheUser() {
        enqueue("paused", options());

        assertThat(ask(post("queue/pause", "queue", "paused", "reason", "INC-1"))
                        .toString())
                .isEqualTo("{\"queue\":\"paused\",\"paused\":true,\"changed\":true}");
        assertThat(ask(post("queue/pause", "queue", "paused", "reason", "INC-1"))
                        .path("changed")
                        .asBoolean())
                .isFalse();
        assertThat(ask(post("queue/resume", "queue", "paused", "reason", "INC-1 is over"))
                        .path("changed")
                        .asBoolean())
                .isTrue();

        assertThat(audited("paused")).containsExactly("resume by ann: INC-1 is over", "pause by ann: INC-1");
        assertThat(refused(post("queue/pause", "queue", "paused"), 400)).contains("'reason' is missing");
        assertThat(refused(post("queue/pause", "queue", "paused", "reason", "x".repeat(501)), 400))
                .contains("501");
        assertThat(refused(dashboard().build(), post("queue/pause", "queue", "pausd", "reason", "INC-1"), 404))
                .contains("paused");
    }

    @Test
    void showsAMessageWithItsReason() {
        MessageId id = enqueue("shown", options().key("order number 7").orderingKey("customer 7"));

        JsonNode whole = ask(get("message", "id", id));
        assertThat(whole.at("/state").asString()).isEqualTo("READY");
        assertThat(whole.at("/key").asString()).isEqualTo("order number 7");
        assertThat(whole.at("/why/reason").asString()).isEqualTo("NO_LISTENER");
        assertThat(whole.path("actions").toString()).isEqualTo("[\"cancel\"]");

        JsonNode viewed = ask(get("message", "id", id).as("vic", "view"));
        assertThat(viewed.at("/key").asString()).isEqualTo("orde… (14)");
        assertThat(viewed.at("/orderingKey").asString()).isEqualTo("cust… (10)");
        assertThat(viewed.path("actions")).isEmpty();

        assertThat(ask(get("message/by-key", "queue", "shown", "key", "order number 7"))
                        .at("/id")
                        .asString())
                .isEqualTo(id.toString());
        assertThat(ask(get("why", "id", id)).at("/reason").asString()).isEqualTo("NO_LISTENER");
        assertThat(refused(get("message/by-key", "queue", "shown", "key", "nobody's"), 404))
                .contains("nobody's");
        String gone = "shown~3~" + UUID.randomUUID();
        assertThat(refused(get("message", "id", gone), 404)).contains(gone, "in none of the tables");
        assertThat(ask(get("why", "id", gone)).at("/reason").asString()).isEqualTo("GONE");
        assertThat(refused(get("message", "id", "shown"), 400)).contains("expected queue~lane~uid");
        assertThat(refused(get("message", "id", "nothing~3~" + UUID.randomUUID()), 404))
                .contains("no queue 'nothing'");
    }

    @Test
    void aDoneMessageIsFoundInTheArchive() {
        MessageId id = enqueue("archived", options());
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .config(EngineConfig.defaults()
                        .withQueue("archived", QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1))))
                .listen(Listener.on("archived", Order.class, (order, delivery) -> Outcome.done()))
                .build()) {
            worker.start();
            await().atMost(PATIENCE).until(() -> worker.archive().find(id).isPresent());
        }

        JsonNode done = ask(get("message", "id", id));
        assertThat(done.at("/state").asString()).isEqualTo("DONE");
        assertThat(done.at("/why/reason").asString()).isEqualTo("DONE");
        assertThat(ask(get("message/content", "id", id)).path("text").asString())
                .contains("ann");
    }

    @Test
    void contentIsMaskedAndTheBytesAreForThoseWhoMay() {
        MessageId id =
                enqueue("content", options().header("session-token", "abc").header("region", "eu"));

        JsonNode content = ask(get("message/content", "id", id));
        assertThat(content.path("text").asString()).contains("ann", "•••").doesNotContain("hunter2");
        assertThat(content.path("masked").toString()).contains("$.password", "header:session-token");
        assertThat(content.at("/headers/region").asString()).isEqualTo("eu");

        refused(get("message/bytes", "id", id), 403);
        DashboardResponse bytes =
                handle(dashboard, get("message/bytes", "id", id).as("ann", "admin", "unmasked"));
        assertThat(text(bytes)).contains("hunter2");
        assertThat(bytes.headers()).containsEntry("Content-Disposition", "attachment; filename=\"payload.bin\"");

        PayloadMask broken = (queue, type, headers, payload) -> {
            throw new IllegalStateException("hunter2");
        };
        JsonNode nothing = ask(dashboard().mask(broken).build(), get("message/content", "id", id));
        assertThat(nothing.path("problem").asString()).contains("nothing is shown");
        assertThat(nothing.toString()).doesNotContain("hunter2", "abc");
    }

    @Test
    void thePayloadIsShownAsBytesToThoseWhoMayWhenItIsNotText() throws SQLException {
        MessageId id = enqueue("binary", options());
        try (Connection connection = database.connect();
                PreparedStatement update = connection.prepareStatement(
                        "UPDATE acidq_message SET payload = CONCAT(X'01', 'password=hunter2') WHERE queue = (SELECT id FROM acidq_queue WHERE name = 'binary')")) {
            assertThat(update.executeUpdate()).isOne();
        }

        assertThatNothingOfThePayloadIsShown(ask(get("message/content", "id", id)));
        assertThat(Base64.getDecoder()
                        .decode(ask(get("message/content", "id", id).as("ann", "operate", "unmasked"))
                                .path("base64")
                                .asString()))
                .isEqualTo("\u0001password=hunter2".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aMaskThatReturnsNoTextShowsNothing() {
        MessageId id = enqueue("hidden", options());
        PayloadMask hiding = (queue, type, headers, payload) ->
                new PayloadMask.Masked("application/json", null, false, List.of("$"), headers);

        assertThatNothingOfThePayloadIsShown(ask(dashboard().mask(hiding).build(), get("message/content", "id", id)));
    }

    private static void assertThatNothingOfThePayloadIsShown(JsonNode content) {
        assertThat(content.path("problem").asString()).contains("UNMASKED");
        assertThat(content.has("text")).isFalse();
        assertThat(content.has("base64")).isFalse();
    }

    @Test
    void listsMessagesByState() {
        enqueue("states", options());
        enqueue("states", options().delay(Duration.ofHours(2)));
        enqueue("states", options().delay(Duration.ofHours(1)));

        assertThat(ask(get("messages", "queue", "states")).path("messages")).hasSize(3);
        JsonNode ready = ask(get("messages", "queue", "states", "state", "ready"));
        assertThat(ready.path("messages")).hasSize(1);
        assertThat(ready.path("complete").asBoolean()).isTrue();
        assertThat(ask(get("messages", "queue", "states", "limit", 2))
                        .path("complete")
                        .asBoolean())
                .isFalse();
        JsonNode scheduled = ask(get("scheduled", "queue", "states")).path("messages");
        assertThat(scheduled).hasSize(2);
        assertThat(scheduled.at("/0/dueAt").asString())
                .isLessThan(scheduled.at("/1/dueAt").asString());
        JsonNode first = ask(get("scheduled", "queue", "states", "limit", 1));
        assertThat(first.path("messages")).hasSize(1);
        assertThat(first.path("complete").asBoolean()).isFalse();
        JsonNode second = ask(get(
                "scheduled",
                "queue",
                "states",
                "limit",
                1,
                "after",
                first.path("after").asString()));
        assertThat(second.at("/messages/0/id").asString())
                .isEqualTo(scheduled.at("/1/id").asString());
        assertThat(refused(get("messages", "queue", "states", "state", "LOST"), 400))
                .contains("WAITING, READY, RUNNING, DEAD");
        assertThat(refused(get("messages", "queue", "states", "limit", 201), 400))
                .contains("1 to 200");
    }

    @Test
    void cancelsAMessage() {
        MessageId id = enqueue("cancelled", options());
        MessageId dead = deadLetters("cancelled.dead", 1).get(0);

        assertThat(ask(post("message/cancel", "id", id, "reason", "a mistake"))
                        .path("result")
                        .asString())
                .isEqualTo("CANCELLED");
        assertThat(ask(post("message/cancel", "id", id, "reason", "a mistake"))
                        .path("result")
                        .asString())
                .isEqualTo("GONE");
        assertThat(refused(post("message/cancel", "id", dead, "reason", "a mistake"), 409))
                .contains("is a dead letter");
        assertThat(audited("cancelled")).containsExactly("cancel by ann: a mistake");
    }

    @Test
    void listsDeadLettersPageByPage() {
        List<MessageId> ids = deadLetters("dead.listed", 5);

        List<String> found = new ArrayList<>();
        String after = "";
        JsonNode page;
        do {
            page = ask(
                    after.isEmpty()
                            ? get("dead", "queue", "dead.listed", "limit", 2)
                            : get("dead", "queue", "dead.listed", "limit", 2, "after", after));
            page.path("deadLetters").forEach(each -> found.add(each.path("id").asString()));
            after = page.path("after").asString("");
        } while (!page.path("complete").asBoolean());

        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        ids.stream().map(MessageId::toString).toList());
        JsonNode first = ask(get("dead", "queue", "dead.listed", "limit", 1)).at("/deadLetters/0");
        assertThat(first.path("error").asString())
                .contains("password=•••", "second line")
                .doesNotContain("hunter2");
        assertThat(ask(get(
                                "dead",
                                "queue",
                                "dead.listed",
                                "cause",
                                first.path("cause").asString()))
                        .path("deadLetters"))
                .hasSize(5);
        JsonNode why = ask(get("why", "id", ids.get(0)));
        assertThat(why.path("text").asString()).contains("password=•••").doesNotContain("hunter2");
        assertThat(why.path("error").asString()).doesNotContain("hunter2");
        JsonNode viewed = ask(get("dead", "queue", "dead.listed", "limit", 1).as("vic", "view"))
                .at("/deadLetters/0");
        assertThat(viewed.path("error").asString()).contains("password=•••").doesNotContain("hunter2", "second line");
        assertThat(viewed.path("key").asString()).isEqualTo("orde… (14)");

        String cursor = ask(get("dead", "queue", "dead.listed", "limit", 2))
                .path("after")
                .asString();
        String since = ask(get("overview")).path("now").asString();
        assertThat(refused(get("dead", "queue", "dead.listed", "after", cursor, "until", since), 400))
                .contains("no cursor of this list");
        assertThat(refused(get("dead", "queue", "dead.listed", "after", "x"), 400))
                .contains("no cursor");
        assertThat(refused(get("dead", "queue", "dead.listed", "cause", "x"), 400))
                .contains("16 hexadecimal digits");
        assertThat(refused(get("dead", "queue", "dead.listed", "since", "yesterday"), 400))
                .contains("2031-05-01T12:00:00Z");
    }

    @Test
    void groupsDeadLettersByCauseOverAllQueuesOrOne() {
        deadLetters("dead.grouped.a", 2);
        deadLetters("dead.grouped.b", 1);

        JsonNode all =
                ask(dashboard().build(), get("dead/groups", "limit", 500)).path("groups");
        JsonNode two = group(all, "dead.grouped.a");
        assertThat(two.path("letters").asInt()).isEqualTo(2);
        assertThat(two.path("complete").asBoolean()).isTrue();
        assertThat(two.path("error").asString()).contains("password=•••").doesNotContain("hunter2", "second line");
        assertThat(group(all, "dead.grouped.b").path("letters").asInt()).isEqualTo(1);
        assertThat(ask(get(
                                "dead/groups",
                                "queue",
                                "dead.grouped.a",
                                "cause",
                                two.path("cause").asString()))
                        .path("groups"))
                .hasSize(1);
        assertThat(ask(get("dead/groups", "queue", "dead.grouped.a", "cause", "0000000000000001"))
                        .path("groups"))
                .isEmpty();
        AccessPolicy notB = (user, permission, name, queue) -> queue == null || !queue.equals("dead.grouped.b");
        assertThat(ask(dashboard().policy(notB).build(), get("dead/groups", "limit", 500))
                        .toString())
                .contains("dead.grouped.a")
                .doesNotContain("dead.grouped.b");
        assertThat(refused(get("dead/groups", "cause", "x"), 400)).contains("16 hexadecimal digits");
    }

    private static JsonNode group(JsonNode groups, String queue) {
        for (JsonNode group : groups) {
            if (group.path("queue").asString().equals(queue)) {
                return group;
            }
        }
        throw new AssertionError("no group of " + queue + " in " + groups);
    }

    @Test
    void replaysWhatTheDryRunHasSeenAndNoMore() {
        deadLetters("dead.replayed", 3);

        JsonNode dryRun = ask(post("dead/replay", "queue", "dead.replayed", "reason", "INC-2"));
        assertThat(dryRun.path("matched").asInt()).isEqualTo(3);
        assertThat(dryRun.path("wouldChange").asInt()).isEqualTo(3);
        assertThat(engine.backlog("dead.replayed").dead()).isEqualTo(3);
        String until = dryRun.path("until").asString();

        assertThat(refused(post("dead/replay", "queue", "dead.replayed", "reason", "INC-2", "dryRun", false), 400))
                .contains("'until' is missing");
        assertThat(refused(
                        post(
                                "dead/replay",
                                "queue",
                                "dead.replayed",
                                "reason",
                                "INC-2",
                                "dryRun",
                                false,
                                "until",
                                until),
                        400))
                .contains("'matched' must be a number");
        assertThat(refused(
                        post(
                                "dead/replay",
                                "queue",
                                "dead.replayed",
                                "reason",
                                "INC-2",
                                "dryRun",
                                false,
                                "until",
                                until,
                                "matched",
                                2),
                        409))
                .contains("3 dead letters match now, and 2 did");

        enqueue("dead.replayed", options());
        makeDead("dead.replayed", QueueConfig.defaults(), 4); // dead-lettered after the dry run
        JsonNode result = ask(post(
                "dead/replay",
                "queue",
                "dead.replayed",
                "reason",
                "INC-2",
                "dryRun",
                false,
                "until",
                until,
                "matched",
                3));
        assertThat(result.path("changed").asInt()).isEqualTo(3);
        assertThat(engine.backlog("dead.replayed").dead()).isEqualTo(1);
        assertThat(audited("dead.replayed")).containsExactly("replay by ann: INC-2");
        makeDead("dead.replayed", QueueConfig.defaults(), 4);
        JsonNode last = ask(dashboard().build(), get("dead/groups", "queue", "dead.replayed"))
                .at("/groups/0/lastReplayed");
        assertThat(last.path("actor").asString()).isEqualTo("ann");
        assertThat(last.path("deadLettersSince").asInt()).isEqualTo(3);
    }

    @Test
    void replaysAndDiscardsDeadLettersByTheirIds() {
        List<MessageId> ids = deadLetters("dead.ids", 3);
        List<String> two = List.of(ids.get(0).toString(), ids.get(1).toString());

        assertThat(ask(post("dead/replay", "queue", "dead.ids", "ids", two, "reason", "INC-3"))
                        .path("wouldChange")
                        .asInt())
                .isEqualTo(2);
        assertThat(ask(post("dead/replay", "queue", "dead.ids", "ids", two, "reason", "INC-3", "dryRun", false))
                        .path("changed")
                        .asInt())
                .isEqualTo(2);
        JsonNode again = ask(post("dead/replay", "queue", "dead.ids", "ids", two, "reason", "INC-3", "dryRun", false));
        assertThat(again.path("changed").asInt()).isZero();
        assertThat(ask(post(
                                "dead/discard",
                                "queue",
                                "dead.ids",
                                "ids",
                                List.of(ids.get(2).toString()),
                                "reason",
                                "INC-3",
                                "dryRun",
                                false))
                        .path("changed")
                        .asInt())
                .isEqualTo(1);

        assertThat(audited("dead.ids"))
                .containsExactly("discard by ann: INC-3", "replay by ann: INC-3", "replay by ann: INC-3");
        assertThat(refused(
                        post("dead/discard", "queue", "dead.ids", "ids", two, "reason", "x")
                                .as("oli", "operate"),
                        403))
                .contains("DESTROY");
        assertThat(refused(
                        post(
                                "dead/replay",
                                "queue",
                                "dead.ids",
                                "ids",
                                List.of("other~1~" + UUID.randomUUID()),
                                "reason",
                                "x"),
                        400))
                .contains("is not of queue 'dead.ids'");
        assertThat(refused(post("dead/replay", "queue", "dead.ids", "ids", two, "cause", "0", "reason", "x"), 400))
                .contains("'ids' and 'cause' are both given");
        AccessPolicy noContent = (user, permission, name, queue) -> permission != Permission.CONTENT;
        assertThat(refused(
                        dashboard().policy(noContent).build(),
                        post("dead/replay", "queue", "dead.ids", "key", "order number 0", "reason", "x"),
                        403))
                .contains("CONTENT");
        assertThat(refused(
                        post("dead/replay", "queue", "dead.ids", "limit", 10_001, "reason", "x")
                                .as("oli", "operate"),
                        403))
                .contains("DESTROY", "lower 'limit'");
    }

    @Test
    void aBulkActionGoesOnAfterTheAnswerAndCanBeStopped() {
        deadLetters("dead.bulk", 6);
        String type =
                ask(get("dead", "queue", "dead.bulk")).at("/deadLetters/0/type").asString();
        Map<String, Object> act = map("queue", "dead.bulk", "type", type, "limit", 100, "rate", 4, "reason", "INC-3");
        JsonNode dryRun = ask(TestRequest.post(API + "dead/replay", act).as("ann", "admin"));
        act.putAll(
                map("dryRun", false, "matched", 6, "until", dryRun.path("until").asString()));

        DashboardResponse response =
                handle(dashboard, TestRequest.post(API + "dead/replay", act).as("ann", "admin"));

        assertThat(response.status()).as(text(response)).isEqualTo(202);
        String id = json(response).path("id").asString();
        assertThat(refused(TestRequest.post(API + "dead/replay", act).as("bob", "admin"), 409))
                .contains("by ann has not ended", id);
        await().atMost(PATIENCE)
                .until(() -> ask(get("bulk", "id", id)).path("changed").asInt() >= 2);
        assertThat(ask(get("bulks")).path("bulks").toString()).contains(id);
        assertThat(refused(post("bulk/stop", "id", "b0", "reason", "enough"), 404))
                .contains("there is no bulk action 'b0' in this process");
        assertThat(ask(post("bulk/stop", "id", id, "reason", "enough"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        await().atMost(PATIENCE)
                .until(() -> ask(get("bulk", "id", id)).path("state").asString().equals("STOPPED"));

        JsonNode ended = ask(get("bulk", "id", id));
        assertThat(audited("dead.bulk").get(0)).isEqualTo("stop by ann: enough");
        assertThat(ask(get("audit", "queue", "dead.bulk", "action", "stop"))
                        .at("/entries/0/detail")
                        .asString())
                .startsWith("bulk=" + ended.path("audit").asString() + " matched=6 changed=");
        int changed = ended.path("changed").asInt();
        assertThat(changed).isBetween(2, 5);
        assertThat(engine.backlog("dead.bulk").dead()).isEqualTo(6 - changed);
        enqueue("dead.bulk", options());
        makeDead("dead.bulk", QueueConfig.defaults(), 7);
        await().atMost(PATIENCE)
                .until(() -> ask(get("bulk", "id", id)).path("sinceThen").asInt() == 1 + changed);

        JsonNode recorded =
                ask(dashboard().build(), get("bulk", "id", ended.path("audit").asString()));
        assertThat(recorded.path("state").asString()).isEqualTo("RECORDED");
        assertThat(recorded.path("changed").asInt()).isEqualTo(changed);
        assertThat(ended.path("selection")).isEqualTo(recorded.path("selection"));
        Map<String, Object> rest = map("queue", "dead.bulk", "reason", "the rest");
        ended.path("selection")
                .properties()
                .forEach(each -> rest.put(each.getKey(), each.getValue().asString()));
        assertThat(rest).containsEntry("type", type).containsKey("until");
        assertThat(ask(TestRequest.post(API + "dead/replay", rest).as("ann", "admin"))
                        .path("matched")
                        .asInt())
                .as("what the action has left")
                .isEqualTo(6 - changed);
        assertThat(refused(
                        dashboard().build(),
                        post("bulk/stop", "id", ended.path("audit").asString(), "reason", "enough"),
                        409))
                .contains("only the process in which it runs can stop it");
        AccessPolicy notBulk = (user, permission, name, queue) -> queue == null || !queue.equals("dead.bulk");
        refused(
                dashboard().policy(notBulk).build(),
                get("bulk", "id", ended.path("audit").asString()),
                404);
    }

    /** A key may contain anything, also what looks like another condition: its action cannot be repeated from the text of the audit log. */
    @Test
    void aRecordedBulkActionIsRepeatedWholeOrNotAtAll() {
        deadLetters("x.recorded", 3);
        DeadLetterFilter all = DeadLetterFilter.of("x.recorded");
        BulkAction byAnn = BulkAction.by("ann", "INC-3");
        engine.deadLetters().discard(all.withKey("order number 1"), byAnn);
        assertThat(ask(get("bulk", "id", lastBulk("x.recorded"))).has("selection"))
                .isFalse();
        Instant until = Instant.parse("2999-01-01T00:00:00Z");
        engine.deadLetters().discard(all.diedBetween(Instant.EPOCH, until), byAnn.withLimit(1));

        assertThat(ask(get("bulk", "id", lastBulk("x.recorded")))
                        .path("selection")
                        .toString())
                .isEqualTo("{\"since\":\"1970-01-01T00:00:00Z\",\"until\":\"2999-01-01T00:00:00Z\"}");
    }

    private long lastBulk(String queue) {
        return engine.audit().list(AuditQuery.all().withLimit(1_000)).entries().stream()
                .filter(entry -> entry.queue().equals(queue) && !entry.filter().isEmpty())
                .findFirst()
                .orElseThrow()
                .id();
    }

    @Test
    void countsScheduledMessagesByTheirDueTime() {
        enqueue("histogram", options().delay(Duration.ofMinutes(30)));
        enqueue("histogram", options().delay(Duration.ofMinutes(40)));
        enqueue("histogram", options().delay(Duration.ofDays(7)));

        JsonNode day = ask(get("scheduled/histogram", "queue", "histogram"));
        assertThat(day.path("slots")).hasSize(48);
        assertThat(day.at("/slots/0/messages").asInt()
                        + day.at("/slots/1/messages").asInt())
                .isEqualTo(2);
        assertThat(day.at("/overdue/messages").asInt()).isZero();
        JsonNode month = ask(get("scheduled/histogram", "queue", "histogram", "range", "month"));
        assertThat(month.at("/slots/0/messages").asInt()).isEqualTo(2);
        assertThat(refused(get("scheduled/histogram", "queue", "histogram", "range", "year"), 400))
                .contains("HOUR, DAY, MONTH");
    }

    @Test
    void aTimelineHasTheDeathTheReplayAndTheEnd() {
        MessageId id = deadLetters("timeline", 1).get(0);
        ask(post(
                "dead/replay", "queue", "timeline", "ids", List.of(id.toString()), "reason", "INC-3", "dryRun", false));
        makeDead("timeline", QueueConfig.defaults(), 1);

        JsonNode events = ask(get("message/timeline", "id", id)).path("events");
        assertThat(events.at("/0/kind").asString()).isEqualTo("ENQUEUED");
        assertThat(events.at("/1/kind").asString()).isEqualTo("DEAD");
        assertThat(events.at("/2/kind").asString()).isEqualTo("ACTION");
        assertThat(events.at("/2/action").asString()).isEqualTo("replay");
        assertThat(events.at("/2/actor").asString()).isEqualTo("ann");
        assertThat(events.at("/3/kind").asString()).isEqualTo("DEAD");
        assertThat(events.at("/3/error").asString()).contains("password=•••").doesNotContain("hunter2");
        assertThat(events).hasSize(4);
        ask(post(
                "dead/discard",
                "queue",
                "timeline",
                "ids",
                List.of(id.toString()),
                "reason",
                "INC-3",
                "dryRun",
                false));
        assertThat(ask(get("message/timeline", "id", id)).path("events").toString())
                .contains("discard");
        assertThat(refused(get("message/timeline", "id", "timeline~0~" + UUID.randomUUID()), 404))
                .contains("in none of the tables");
    }

    @Test
    void editsTheDeadLetterThatTheUserHasSeen() {
        MessageId id = deadLetters("dead.edited", 1).get(0);
        String diedAt = ask(get("message", "id", id)).path("dueAt").asString();
        Map<String, Object> edit = map(
                "id",
                id,
                "diedAt",
                diedAt,
                "payload",
                "{\"customer\":\"bob\",\"password\":\"new\"}",
                "reason",
                "INC-3");
        edit.put("headers", Map.of("region", "eu"));
        TestRequest masked = TestRequest.post(API + "dead/edit", edit).as("ann", "admin");

        assertThat(refused(masked, 403)).contains("lacks the permission UNMASKED", "$.password");
        Map<String, Object> broken = new LinkedHashMap<>(edit);
        broken.put("payload", "{\"customer\":");
        assertThat(refused(TestRequest.post(API + "dead/edit", broken).as("ann", "admin", "unmasked"), 422))
                .contains("is JSON, and the new one is not");
        Map<String, Object> older = new LinkedHashMap<>(edit);
        older.put("diedAt", "2026-01-01T00:00:00Z");
        assertThat(refused(TestRequest.post(API + "dead/edit", older).as("ann", "admin", "unmasked"), 409))
                .contains("is no dead letter since 2026-01-01T00:00:00Z any more");
        assertThat(engine.backlog("dead.edited").dead()).isEqualTo(1);

        assertThat(ask(TestRequest.post(API + "dead/edit", edit).as("ann", "admin", "unmasked"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(engine.messages().content(id)).hasValueSatisfying(content -> {
            assertThat(new String(content.payload(), StandardCharsets.UTF_8)).contains("bob");
            assertThat(content.headers()).isEqualTo(Map.of("region", "eu"));
        });
        refused(TestRequest.post(API + "dead/edit", edit).as("bob", "admin", "unmasked"), 409);
        assertThat(audited("dead.edited")).containsExactly("edit by ann: INC-3");
        JsonNode entry = ask(get("audit", "id", id)).at("/entries/0");
        assertThat(entry.path("detail").asString()).contains("payload sha256=", "headers sha256=");
    }

    private MessageId deadText(String queue, String text) {
        MessageId id = transactions.call(() ->
                engine.queue().enqueue(queue, Map.of("v", text), options()).id());
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .listen(Listener.on(queue, Object.class, (body, delivery) -> Outcome.dead(ERROR)))
                .build()) {
            worker.start();
            await().atMost(PATIENCE).until(() -> worker.backlog(queue).dead() == 1);
        }
        return id;
    }

    /** Another operator edits the letter, and it dies again: whoever still looks at the first content must not undo that. */
    @Test
    void anEditOfAContentThatIsNoLongerThereIsRefused() {
        MessageId id = deadText("x.twice", "one");
        String first = ask(get("message/content", "id", id)).path("diedAt").asString();
        assertThat(first).isEqualTo(ask(get("message", "id", id)).path("dueAt").asString());
        ask(post("dead/edit", "id", id, "diedAt", first, "payload", "{\"v\":\"two\"}", "reason", "bob"));
        assertThat(ask(get("message/content", "id", id)).has("diedAt"))
                .as("no dead letter now")
                .isFalse();
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .listen(Listener.on("x.twice", Object.class, (body, delivery) -> Outcome.dead(ERROR)))
                .build()) {
            worker.start();
            await().atMost(PATIENCE).until(() -> worker.backlog("x.twice").dead() == 1);
        }

        JsonNode now = ask(get("message/content", "id", id));
        assertThat(now.path("diedAt").asString()).isNotEqualTo(first);
        assertThat(now.path("text").asString()).contains("two");
        assertThat(refused(
                        post("dead/edit", "id", id, "diedAt", first, "payload", "{\"v\":\"three\"}", "reason", "ann"),
                        409))
                .contains("is no dead letter since " + first + " any more", "edited", "look at it again");
    }

    @Test
    void anEditBeginsWithTheStoredBytesAndChangesSomething() {
        MessageId id = deadText("x.same", "one");
        JsonNode content = ask(get("message/content", "id", id));
        assertThat(content.path("storedText").asString()).isEqualTo("{\"v\":\"one\"}");
        assertThat(content.path("text").asString()).contains("\n");
        for (String payload : List.of("{\"v\":\"one\"}", content.path("text").asString())) {
            Map<String, Object> edit =
                    map("id", id, "diedAt", content.path("diedAt").asString(), "payload", payload, "reason", "INC-3");
            assertThat(refused(TestRequest.post(API + "dead/edit", edit).as("ann", "admin"), 422))
                    .contains("changes nothing", "replay the message as it is");
        }
        MessageId masked = deadLetters("x.masked", 1).get(0);
        assertThat(ask(get("message/content", "id", masked)).has("storedText")).isFalse();
    }

    @Test
    void releasesTheBlockedKeyThatTheUserHasSeen() {
        MessageId head = enqueue("blocked", options().orderingKey("customer 1"));
        enqueue("blocked", options().orderingKey("customer 1"));
        makeDead("blocked", QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.BLOCK), 1);

        JsonNode blocked = ask(get("blocked", "queue", "blocked"));
        assertThat(blocked.at("/blockedKeys/0/deadLetter").asString()).isEqualTo(head.toString());
        assertThat(blocked.at("/blockedKeys/0/waiting").asInt()).isEqualTo(1);
        assertThat(ask(get("blocked", "queue", "blocked").as("vic", "view"))
                        .at("/blockedKeys/0/orderingKey")
                        .asString())
                .isEqualTo("cust… (10)");
        Object[] release = {"queue", "blocked", "orderingKey", "customer 1", "deadLetter", head, "reason", "INC-4"};
        assertThat(ask(post("blocked/release", release)).path("wouldChange").asBoolean())
                .isTrue();
        assertThat(refused(
                        post(
                                "blocked/release",
                                "queue",
                                "blocked",
                                "orderingKey",
                                "customer 1",
                                "deadLetter",
                                "blocked~0~" + UUID.randomUUID(),
                                "reason",
                                "x",
                                "dryRun",
                                false),
                        409))
                .contains("is not blocked by message");

        Map<String, Object> act = map(release);
        act.put("dryRun", false);
        assertThat(ask(TestRequest.post(API + "blocked/release", act).as("ann", "admin"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        refused(TestRequest.post(API + "blocked/release", act).as("ann", "admin"), 409);
        assertThat(audited("blocked")).containsExactly("release by ann: INC-4");
    }

    @Test
    void listsAndRemovesSubscriptions() {
        engine.subscriptions().subscribe("order.placed", "billing", "region = 'eu'");

        JsonNode listed = ask(get("topics", "topic", "order.placed"));
        assertThat(listed.at("/subscriptions/0/queue").asString()).isEqualTo("order.placed/billing");
        assertThat(ask(get("topics")).path("subscriptions")).isNotEmpty();
        assertThat(ask(get("queue", "queue", "order.placed/billing"))
                        .path("queue")
                        .asString())
                .isEqualTo("order.placed/billing");

        assertThat(refused(
                        post("topics/unsubscribe", "topic", "order.placed", "subscription", "billing", "reason", "x"),
                        400))
                .contains("KEEP, DRAIN or DISCARD");
        assertThat(refused(
                        post(
                                "topics/unsubscribe",
                                "topic",
                                "order.placed",
                                "subscription",
                                "biling",
                                "remaining",
                                "KEEP",
                                "reason",
                                "x"),
                        404))
                .contains("no subscription 'biling'");
        assertThat(ask(post(
                                "topics/unsubscribe",
                                "topic",
                                "order.placed",
                                "subscription",
                                "billing",
                                "remaining",
                                "keep",
                                "reason",
                                "INC-5"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(audited("order.placed/billing")).containsExactly("unsubscribe by ann: INC-5");
    }

    @Test
    void aListOfRecurringMessagesContinues() {
        transactions.run(() -> {
            for (String name : List.of("paged.a", "paged.b", "paged.c")) {
                engine.recurring()
                        .put(Recurring.message(name, Schedule.every(Duration.ofHours(1)), "reports")
                                .withPayload("x"));
            }
        });
        List<String> names = new ArrayList<>();
        JsonNode page = ask(get("recurring", "prefix", "paged.", "limit", 2));
        page.path("recurring").forEach(each -> names.add(each.path("name").asString()));
        page = ask(get(
                "recurring",
                "prefix",
                "paged.",
                "limit",
                2,
                "after",
                page.path("after").asString()));
        page.path("recurring").forEach(each -> names.add(each.path("name").asString()));

        assertThat(names).containsExactly("paged.a", "paged.b", "paged.c");
        assertThat(page.path("complete").asBoolean()).isTrue();
        assertThat(page.has("after")).isFalse();
    }

    @Test
    void actsOnARecurringMessage() {
        transactions.run(() -> engine.recurring()
                .put(Recurring.message("nightly", Schedule.every(Duration.ofHours(1)), "reports")
                        .withPayload("x")));

        assertThat(ask(get("recurring", "prefix", "night"))
                        .at("/recurring/0/queue")
                        .asString())
                .isEqualTo("reports");
        for (String act : List.of("pause", "resume", "trigger")) {
            assertThat(ask(post("recurring/" + act, "name", "nightly", "reason", "INC-6"))
                            .toString())
                    .isEqualTo("{\"name\":\"nightly\",\"changed\":true}");
        }
        assertThat(ask(post("recurring/reschedule", "name", "nightly", "schedule", "every 2h", "reason", "INC-6"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        JsonNode one = ask(get("recurring/one", "name", "nightly"));
        assertThat(one.path("schedule").asString()).isEqualTo("every 2h");
        assertThat(one.at("/ticks/0/result").asString()).isEqualTo("TRIGGERED");
        assertThat(one.path("nextTicks")).hasSize(5);

        assertThat(refused(
                        post("recurring/reschedule", "name", "nightly", "schedule", "now and then", "reason", "x"),
                        400))
                .contains("now and then");
        AccessPolicy notReports = (user, permission, name, queue) -> queue == null || !queue.equals("reports");
        Dashboard narrow = dashboard().policy(notReports).build();
        assertThat(refused(narrow, post("recurring/pause", "name", "nightly", "reason", "x"), 403))
                .contains("for queue 'reports'");
        assertThat(refused(narrow, get("recurring/one", "name", "nightly"), 403))
                .contains("for queue 'reports'");
        assertThat(ask(narrow, get("recurring")).path("recurring")).isEmpty();

        assertThat(ask(post("recurring/remove", "name", "nightly", "reason", "INC-6"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(refused(post("recurring/remove", "name", "nightly", "reason", "x"), 404))
                .contains("no recurring message 'nightly'");
    }

    @Test
    void theAuditLogHasNoDetailsForAViewer() {
        MessageId id = deadLetters("audited", 1).get(0);
        ask(post(
                "dead/discard", "queue", "audited", "ids", List.of(id.toString()), "reason", "INC-7", "dryRun", false));

        JsonNode entry = ask(get("audit", "id", id)).at("/entries/0");
        assertThat(entry.path("action").asString()).isEqualTo("discard");
        assertThat(entry.path("detail").asString()).contains("cause=");
        JsonNode viewed = ask(get("audit", "id", id).as("vic", "view")).at("/entries/0");
        assertThat(viewed.has("detail")).isFalse();
        assertThat(viewed.has("filter")).isFalse();
        assertThat(ask(get("audit", "limit", 1)).path("complete").asBoolean()).isFalse();
        List<AuditEntry> all = engine.audit().recent(10_000);
        assertThat(all).noneMatch(each -> each.actor().isEmpty());
    }

    @Test
    void aQueueThatThePolicyHidesIsNowhere() {
        enqueue("hidden", options());
        MessageId id = enqueue("hidden", options());
        ask(post("queue/pause", "queue", "hidden", "reason", "INC-8"));
        AccessPolicy notHidden = (user, permission, name, queue) -> queue == null || !queue.equals("hidden");
        Dashboard narrow = dashboard().policy(notHidden).build();

        for (TestRequest list : List.of(
                get("queues", "limit", 1000),
                get("overview"),
                get("audit", "limit", 200),
                get("dead/groups"),
                get("nodes"),
                get("topics"))) {
            assertThat(ask(narrow, list).toString()).doesNotContain("hidden");
        }
        assertThat(refused(narrow, get("queue", "queue", "hiddn"), 404)).doesNotContain("hidden");
        assertThat(refused(narrow, get("message", "id", id), 403)).contains("lacks the permission VIEW");
    }

    @Test
    void deadLettersNeedAttentionAndAHiddenQueueIsNotNamed() {
        enqueue("x.due", options());
        deadLetters("x.seen", 2);
        AccessPolicy onlySeen = (user, permission, name, queue) -> queue == null || queue.equals("x.seen");
        Dashboard narrow = dashboard().policy(onlySeen).build();
        assertThat(ask(narrow, post("doctor")).toString()).contains("x.due");
        ask(narrow, get("queue", "queue", "x.seen"));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                ask(narrow, get("overview")).path("attention").toString())
                        .contains("2 dead letters of 1 queue", "the doctor found ")
                        .doesNotContain("x.due"));
    }

    @Test
    void aQueueWithoutAListenerNeedsAttentionOnceAlsoWhenTheDoctorHasFoundIt() {
        enqueue("listened.by.nobody", options());
        Dashboard fresh = dashboard().build();
        assertThat(ask(fresh, post("doctor")).toString()).contains("queue 'listened.by.nobody' has due messages");
        ask(fresh, get("queue", "queue", "listened.by.nobody"));

        List<String> texts = new ArrayList<>();
        ask(fresh, get("overview"))
                .path("attention")
                .forEach(each -> texts.add(each.path("text").asString()));

        assertThat(texts)
                .filteredOn(text -> text.contains("'listened.by.nobody'"))
                .hasSizeLessThan(2);
        assertThat(texts).noneMatch(text -> text.startsWith("queue 'listened.by.nobody' has due messages"));
    }

    @Test
    void theDoctorRunsOnDemandAndItsReportStays() {
        Dashboard fresh = dashboard().build();
        assertThat(ask(fresh, get("doctor")).path("findings")).isEmpty();

        JsonNode report = ask(fresh, post("doctor"));
        assertThat(report.path("findings").toString()).contains("\"schema\"");
        assertThat(ask(fresh, get("doctor"))).isEqualTo(report);
        assertThat(ask(fresh, post("doctor"))).as("not again within a minute").isEqualTo(report);
    }

    @Test
    void anAccountWithoutThePrivilegeIsToldSo() {
        enqueue("seen", options());
        try (LimitedAccount worker =
                LimitedAccount.on(database).granted((name, account) -> Schema.grants(Role.WORKER, name, account))) {
            TestDataSource limited =
                    () -> DriverManager.getConnection(database.jdbcUrl(), worker.user(), worker.password());
            Dashboard ofWorker = Dashboard.builder()
                    .engine(
                            Dashboard.MAIN,
                            Engine.builder(MyBatisStore.over(limited)).build())
                    .build();

            assertThat(ask(ofWorker, TestRequest.get(API + "queues", Map.of())).path("queues"))
                    .isNotEmpty();
            assertThat(refused(
                            ofWorker,
                            TestRequest.post(API + "queue/pause", Map.of("queue", "seen", "reason", "INC-9")),
                            409))
                    .contains("acidq_audit");
            JsonNode missing =
                    ask(ofWorker, TestRequest.get(API + "privileges", Map.of())).path("missing");
            assertThat(missing.path("PAUSE").toString()).isEqualTo("[\"INSERT on acidq_audit\"]");
            assertThat(missing.path("EDIT").toString()).contains("UPDATE on acidq_dead");
            MessageId id = enqueue("seen", options());
            assertThat(ask(ofWorker, TestRequest.get(API + "message", map("id", id)))
                            .path("actions"))
                    .isEmpty();
            assertThat(ask(get("privileges")).path("missing")).isEmpty();
        }
    }

    @Test
    void anAccountWithAnOperatorsPrivilegesLacksNone() {
        try (LimitedAccount operator =
                LimitedAccount.on(database).granted((name, account) -> Schema.grants(Role.OPERATOR, name, account))) {
            TestDataSource limited =
                    () -> DriverManager.getConnection(database.jdbcUrl(), operator.user(), operator.password());
            Dashboard ofOperator = Dashboard.builder()
                    .engine(
                            Dashboard.MAIN,
                            Engine.builder(MyBatisStore.over(limited)).build())
                    .build();

            assertThat(ask(ofOperator, TestRequest.get(API + "privileges", Map.of()))
                            .path("missing"))
                    .isEmpty();
        }
    }

    @Test
    void tablesOfAnotherVersionAreRefusedExceptForTheOverview() {
        TestDatabase empty = TestServers.get(kind).createDatabase();
        TestDataSource noTables = empty::connect;
        Dashboard broken = Dashboard.builder()
                .engine(
                        Dashboard.MAIN,
                        Engine.builder(MyBatisStore.over(noTables)).build())
                .build();

        DashboardResponse queues = handle(broken, TestRequest.get(API + "queues", Map.of()));
        assertThat(queues.status()).isEqualTo(409);
        assertThat(text(queues))
                .contains("table acidq_message is missing", "acidq schema check")
                .doesNotContain("CREATE");
        DashboardResponse queue = handle(broken, TestRequest.get(API + "queue", Map.of("queue", "orders")));
        assertThat(queue.status()).isEqualTo(409);
        JsonNode overview = ask(broken, TestRequest.get(API + "overview", Map.of()));
        assertThat(overview.at("/attention/0/kind").asString()).isEqualTo("TABLES");
        empty.drop();
    }

    @Test
    void aReadThatTakesTooLongIsEndedByTheServer() throws SQLException {
        enqueue("slow", options());
        Dashboard impatient =
                dashboard().statementTimeout(Duration.ofMillis(200)).build();
        ask(impatient, get("messages", "queue", "slow", "state", "DONE"));
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            statement.execute("LOCK TABLES acidq_archive WRITE");

            DashboardResponse response = handle(impatient, get("messages", "queue", "slow", "state", "DONE"));

            assertThat(response.status()).as(text(response)).isEqualTo(503);
            assertThat(text(response))
                    .contains("took longer than 0.2 seconds", "\"state\":\"UP\"", "\"longerTimeout\":20");
            assertThat(refused(impatient, get("messages", "queue", "slow", "state", "DONE", "timeout", 1), 503))
                    .contains("took longer than 1.0 seconds");
            assertThat(ask(impatient, get("messages", "queue", "slow")).path("messages"))
                    .hasSize(1);
            statement.execute("UNLOCK TABLES");
        }
        assertThat(ask(impatient, get("messages", "queue", "slow", "state", "DONE"))
                        .path("messages"))
                .isEmpty();
    }

    @Test
    void listsMessagesOfATypeOrAnOrderingKeyAndDoneOnes() {
        MessageId first =
                enqueue("filtered", options().orderingKey("customer 1").key("order number 1"));
        enqueue("filtered", options().orderingKey("customer 2"));
        enqueue("filtered", options().orderingKey("customer 1"));
        String type = ask(get("message", "id", first)).path("type").asString();

        assertThat(ask(get("messages", "queue", "filtered", "type", type)).path("messages"))
                .hasSize(3);
        assertThat(ask(get("messages", "queue", "filtered", "type", "other")).path("messages"))
                .isEmpty();
        JsonNode ofKey = ask(get("messages", "queue", "filtered", "orderingKey", "customer 1", "limit", 1));
        assertThat(ofKey.at("/messages/0/id").asString()).isEqualTo(first.toString());
        JsonNode rest = ask(get(
                "messages",
                "queue",
                "filtered",
                "orderingKey",
                "customer 1",
                "after",
                ofKey.path("after").asString()));
        assertThat(rest.path("messages")).hasSize(1);
        assertThat(rest.path("complete").asBoolean()).isTrue();
        assertThat(refused(
                        get(
                                "messages",
                                "queue",
                                "filtered",
                                "after",
                                ofKey.path("after").asString()),
                        400))
                .contains("no cursor of this list");
        assertThat(refused(
                        get("messages", "queue", "filtered", "orderingKey", "customer 1")
                                .as("vic", "view"),
                        403))
                .contains("CONTENT");

        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .config(EngineConfig.defaults()
                        .withQueue("filtered", QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1))))
                .listen(Listener.on("filtered", Order.class, (order, delivery) -> Outcome.done()))
                .build()) {
            worker.start();
            await().atMost(PATIENCE)
                    .until(() -> worker.backlog("filtered").ready() == 0
                            && worker.backlog("filtered").running() == 0);
        }
        JsonNode done = ask(get("messages", "queue", "filtered", "state", "done"));
        assertThat(done.path("messages")).hasSize(3);
        assertThat(done.at("/messages/0/state").asString()).isEqualTo("DONE");
        assertThat(done.at("/messages/0/doneAt").asString())
                .isGreaterThanOrEqualTo(done.at("/messages/2/doneAt").asString());
        assertThat(ask(get("message/by-key", "queue", "filtered", "key", "order number 1"))
                        .path("state")
                        .asString())
                .isEqualTo("DONE");
    }

    @Test
    void findsDeadLettersByTheirKeys() {
        deadLetters("dead.filtered", 3);

        assertThat(ask(get("dead", "queue", "dead.filtered", "key", "order number 1"))
                        .path("deadLetters"))
                .hasSize(1);
        assertThat(ask(get("dead", "queue", "dead.filtered", "type", "other")).path("deadLetters"))
                .isEmpty();
        assertThat(refused(
                        get("dead", "queue", "dead.filtered", "key", "order number 1")
                                .as("vic", "view"),
                        403))
                .contains("CONTENT");
    }

    @Test
    void findsAuditEntriesAndWritesThemAsCsv() {
        enqueue("audit.found", options());
        ask(post("queue/pause", "queue", "audit.found", "reason", "=1+1, \"quoted\""));
        ask(post("queue/resume", "queue", "audit.found", "reason", "over").as("bob", "admin"));

        assertThat(ask(get("audit", "queue", "audit.found")).path("entries")).hasSize(2);
        JsonNode page = ask(get("audit", "queue", "audit.found", "limit", 1));
        assertThat(page.at("/entries/0/action").asString()).isEqualTo("resume");
        assertThat(ask(get(
                                "audit",
                                "queue",
                                "audit.found",
                                "limit",
                                1,
                                "after",
                                page.path("after").asString()))
                        .at("/entries/0/action")
                        .asString())
                .isEqualTo("pause");
        assertThat(ask(get("audit", "queue", "audit.found", "actor", "bob")).path("entries"))
                .hasSize(1);
        assertThat(ask(get("audit", "queue", "audit.found", "action", "pause")).path("entries"))
                .hasSize(1);
        assertThat(refused(get("audit", "action", "Pause!"), 400)).contains("pause-recurring");
        assertThat(refused(get("audit", "id", TestRequest.ID, "actor", "bob"), 400))
                .contains("'id' and 'actor' are both given");

        DashboardResponse csv =
                handle(dashboard, get("audit", "queue", "audit.found").header("accept", "text/csv"));
        assertThat(csv.headers()).containsEntry("Content-Type", "text/csv");
        assertThat(text(csv))
                .startsWith("id,at,actor,action,queue,message,bulk,filter,reason,detail\r\n")
                .contains("\"'=1+1, \"\"quoted\"\"\"", "\"over\"");
    }

    @Test
    void whateverTheParametersAreNothingIsAnInternalError() {
        enqueue("orders", options());
        List<String> all = List.of(
                "",
                "\u0000",
                "\ud83d",
                "x".repeat(300),
                "orders~99999~" + UUID.randomUUID(),
                "+999999999-12-31T23:59:59Z",
                " ",
                "..",
                "orders",
                "a/b",
                "a/b/c",
                "-1",
                "0",
                "99999999999999999999",
                "NaN",
                "true",
                "%",
                "'; DROP TABLE acidq_queue",
                "orders~1~" + UUID.randomUUID(),
                "0000-00-00T00:00:00Z",
                "2031-05-01T12:00:00Z");
        List<String> values = FullBuild.IS_ON ? all : all.subList(0, 6);
        for (Route route : dashboard.routes().all()) {
            for (String parameter : route.parameters()) {
                for (String value : values) {
                    Map<String, Object> parameters = new HashMap<>(Map.of("reason", "fuzz"));
                    if (route.parameters().contains("queue")) {
                        parameters.put("queue", "orders");
                    }
                    if (route.method().equals("GET")) {
                        parameters.remove("reason");
                    }
                    parameters.put(parameter, value);
                    TestRequest request = (route.method().equals("GET")
                                    ? TestRequest.get(route.path(), parameters)
                                    : TestRequest.post(route.path(), parameters))
                            .as("ann", "admin", "unmasked");
                    DashboardResponse response = handle(dashboard, request);
                    assertThat(response.status())
                            .as("%s %s=%s: %s", route.path(), parameter, value, text(response))
                            .isIn(200, 400, 404, 409, 414);
                }
            }
        }
    }
}
