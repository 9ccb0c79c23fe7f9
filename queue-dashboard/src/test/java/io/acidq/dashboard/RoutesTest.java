package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.read.Database;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What holds for every route, generated from the table of the routes. */
class RoutesTest {

    private static final List<Route> ROUTES =
            local(new UnreachableDatabase()).routes().all();

    private final UnreachableDatabase database = new UnreachableDatabase();

    private static Dashboard local(UnreachableDatabase database) {
        return Dashboard.builder()
                .engine(Dashboard.MAIN, database.engine())
                .localLevel(Level.ADMIN)
                .build();
    }

    private Dashboard.Builder withRoles() {
        return Dashboard.builder()
                .engine(Dashboard.MAIN, database.engine())
                .roles(Level.VIEWER, "view")
                .roles(Level.OPERATOR, "operate")
                .roles(Level.ADMIN, "admin")
                .unmaskedRoles("unmasked");
    }

    private static String name(Route route) {
        return route.method() + " " + route.path();
    }

    static Stream<Arguments> routes() {
        return ROUTES.stream().map(route -> Arguments.of(name(route), route));
    }

    static Stream<Arguments> forgeries() {
        Map<String, UnaryOperator<TestRequest>> forgeries = new LinkedHashMap<>();
        forgeries.put("no X-AcidQ", request -> request.without("x-acidq"));
        forgeries.put("X-AcidQ: 0", request -> request.header("x-acidq", "0"));
        forgeries.put("X-AcidQ twice", request -> request.header("x-acidq", "1", "1"));
        forgeries.put("no content type", request -> request.without("content-type"));
        forgeries.put("text/plain", request -> request.header("content-type", "text/plain"));
        forgeries.put("a form", request -> request.header("content-type", "application/x-www-form-urlencoded"));
        forgeries.put(
                "a form with files", request -> request.header("content-type", "multipart/form-data; boundary=x"));
        forgeries.put("cross-site", request -> request.header("sec-fetch-site", "cross-site"));
        forgeries.put("same-site", request -> request.header("sec-fetch-site", "same-site"));
        forgeries.put("sec-fetch-site none", request -> request.header("sec-fetch-site", "none"));
        forgeries.put(
                "another origin over plain http",
                request -> request.without("sec-fetch-site").header("origin", "http://evil.example"));
        forgeries.put(
                "another port", request -> request.without("sec-fetch-site").header("origin", "http://localhost:8087"));
        forgeries.put(
                "another scheme",
                request -> request.without("sec-fetch-site").header("origin", "https://localhost:8086"));
        forgeries.put(
                "origin null", request -> request.without("sec-fetch-site").header("origin", "null"));
        forgeries.put(
                "two origins",
                request -> request.without("sec-fetch-site")
                        .header("origin", "http://localhost:8086", "http://evil.example"));
        forgeries.put("GET", request -> request.method("GET"));
        forgeries.put("PUT", request -> request.method("PUT"));
        forgeries.put("OPTIONS", request -> request.method("OPTIONS"));
        List<Arguments> all = new ArrayList<>();
        ROUTES.stream()
                .filter(route -> route.method().equals("POST"))
                .forEach(route -> forgeries.forEach((forgery, change) -> {
                    boolean hasGet = ROUTES.stream()
                            .anyMatch(other -> other.path().equals(route.path())
                                    && other.method().equals("GET"));
                    if (!forgery.equals("GET") || !hasGet) {
                        all.add(Arguments.of(name(route), forgery, route, change));
                    }
                }));
        return all.stream();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("forgeries")
    void refusesAForgedPost(String route, String forgery, Route target, UnaryOperator<TestRequest> change) {
        DashboardResponse response =
                local(database).handle(change.apply(TestRequest.of(target)).build());

        assertThat(response.status()).isIn(403, 405, 415);
        assertThat(database.asked()).isZero();
    }

    @Test
    void aHeaderUnderTwoNamesIsRefusedWithItsName() {
        TestRequest request = TestRequest.get("api/v1/session", Map.of()).header("HOST", "other");

        assertThatThrownBy(request::build).hasMessageContaining("'HOST' is given twice");
    }

    static Stream<Arguments> posts() {
        return routes().filter(each -> each.get()[0].toString().startsWith("POST"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("posts")
    void acceptsAPostOfItsOwnPageAndOfAProgram(String name, Route route) {
        Dashboard dashboard = local(database);
        List<TestRequest> genuine = List.of(
                TestRequest.of(route),
                TestRequest.of(route).header("content-type", "application/json; charset=utf-8"),
                TestRequest.of(route).without("sec-fetch-site").header("origin", "http://localhost:8086"),
                TestRequest.of(route).without("sec-fetch-site"));
        for (TestRequest request : genuine) {
            DashboardResponse response = dashboard.handle(request.build());
            assertThat(response.status()).as(text(response)).isIn(200, 503);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routes")
    void boundsTheTimeoutOfAGetAndHasNoneForAPost(String name, Route route) {
        Dashboard dashboard = withRoles().build();
        boolean isGet = route.method().equals("GET");
        for (String timeout : List.of("0", "21", "x", "99999999999")) {
            DashboardResponse response = dashboard.handle(TestRequest.of(route)
                    .with("timeout", timeout)
                    .as("ann", "admin", "unmasked")
                    .build());
            assertThat(response.status()).as(timeout).isEqualTo(400);
            assertThat(text(response))
                    .contains(isGet ? "'timeout' must be a number of 1 to 20" : "there is no parameter 'timeout'");
        }
        assertThat(database.asked()).isZero();
        if (isGet) {
            DashboardResponse response = dashboard.handle(TestRequest.of(route)
                    .with("timeout", "20")
                    .as("ann", "admin", "unmasked")
                    .build());
            assertThat(response.status()).as(text(response)).isIn(200, 503);
        }
    }

    /** The users, and what each may do. */
    private static final Map<String, Set<Permission>> USERS = Map.of(
            "view", Level.VIEWER.permissions(),
            "operate", Level.OPERATOR.permissions(),
            "admin", Level.ADMIN.permissions());

    @ParameterizedTest(name = "{0}")
    @MethodSource("routes")
    void letsInWhoHasThePermissionAndNobodyElse(String name, Route route) {
        Dashboard dashboard = withRoles().build();
        assertThat(dashboard.handle(TestRequest.of(route).build()).status())
                .as("nobody")
                .isEqualTo(401);
        assertThat(dashboard
                        .handle(TestRequest.of(route).as("eve", "other").build())
                        .status())
                .as("a user without a role")
                .isEqualTo(403);
        USERS.forEach((role, permissions) -> {
            if (!permissions.contains(route.permission())) {
                DashboardResponse response =
                        dashboard.handle(TestRequest.of(route).as("ann", role).build());
                assertThat(response.status()).as(role).isEqualTo(403);
                assertThat(text(response)).contains("lacks the permission " + route.permission());
            }
        });
        assertThat(database.asked()).isZero();
        USERS.forEach((role, permissions) -> {
            if (permissions.contains(route.permission())) {
                DashboardResponse response =
                        dashboard.handle(TestRequest.of(route).as("ann", role).build());
                assertThat(response.status()).as(role + ": " + text(response)).isIn(200, 503);
            }
        });
        assertThat(dashboard
                        .handle(TestRequest.of(route)
                                .as("ann", "admin", "unmasked")
                                .build())
                        .status())
                .isIn(200, 503);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routes")
    void refusesAnAdminWhomThePolicyRefusesTheQueue(String name, Route route) {
        AccessPolicy notOrders = (user, permission, engine, queue) -> queue == null || !queue.startsWith("order");
        Dashboard dashboard = withRoles().policy(notOrders).build();

        DashboardResponse response = dashboard.handle(
                TestRequest.of(route).as("ann", "admin", "unmasked").build());

        boolean isAboutAQueue =
                route.scope() != Scope.ENGINE && route.scope() != Scope.RECURRING; // whose queue the database knows
        if (isAboutAQueue) {
            assertThat(response.status()).isEqualTo(403);
            assertThat(database.asked()).isZero();
        } else {
            assertThat(response.status()).isIn(200, 503);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("posts")
    void isRefusedOnAReadOnlyDashboard(String name, Route route) {
        Dashboard dashboard = withRoles().readOnly(true).build();

        assertThat(dashboard
                        .handle(TestRequest.of(route).as("ann", "admin").build())
                        .status())
                .isEqualTo(403);
        assertThat(database.asked()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("posts")
    void needsAReason(String name, Route route) {
        if (route.path().equals("api/v1/doctor")) {
            return; // changes nothing that stays
        }
        assertThat(route.parameters()).contains("reason");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routes")
    void refusesAnUnknownParameter(String name, Route route) {
        TestRequest request = route.method().equals("GET")
                ? TestRequest.get(route.path(), Map.of("quue", "orders"))
                : TestRequest.post(route.path(), Map.of("quue", "orders"));

        DashboardResponse response = local(database).handle(request.build());

        assertThat(response.status()).isEqualTo(400);
        assertThat(json(response).at("/error").asString()).contains("no parameter 'quue'");
        assertThat(json(response).at("/exitCode").asInt()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routes")
    void answersWithTheHeadersOfSecurity(String name, Route route) {
        Dashboard dashboard = local(database);
        List<TestRequest> requests = List.of(
                TestRequest.of(route),
                TestRequest.of(route).from("192.0.2.1"),
                TestRequest.of(route).method("DELETE"),
                TestRequest.of(route).header("x-acidq", "0"));
        for (TestRequest request : requests) {
            assertSecurityHeaders(dashboard.handle(request.build()));
        }
    }

    private static void assertSecurityHeaders(DashboardResponse response) {
        assertThat(response.headers())
                .containsEntry("X-Content-Type-Options", "nosniff")
                .containsEntry("Referrer-Policy", "same-origin")
                .containsEntry("Cross-Origin-Opener-Policy", "same-origin")
                .containsEntry("Cross-Origin-Resource-Policy", "same-origin")
                .containsKey("Content-Security-Policy")
                .doesNotContainKey("Access-Control-Allow-Origin");
        assertThat(response.headers().get("Content-Security-Policy"))
                .contains("default-src 'none'", "frame-ancestors 'none'", "trusted-types 'none'")
                .doesNotContain("unsafe");
        assertThat(response.headers().get("Cache-Control")).isIn("no-store", "private, no-cache");
    }

    @Test
    void anErrorOfAHandlerTellsNeitherItsTextNorItsStack() {
        Dashboard dashboard = of(Route.get("broken", Permission.VIEW, Scope.ENGINE, call -> {
            throw new IllegalStateException("password=hunter2");
        }));

        DashboardResponse response =
                dashboard.handle(TestRequest.get("broken", Map.of()).build());

        assertThat(response.status()).isEqualTo(500);
        assertThat(text(response)).doesNotContain("hunter2", "Exception", "at io.acidq");
        assertSecurityHeaders(response);
    }

    @Test
    void countsWhatItHasDenied() {
        Dashboard dashboard = withRoles().build();
        dashboard.handle(TestRequest.get("api/v1/session", Map.of()).build());
        dashboard.handle(
                TestRequest.get("api/v1/session", Map.of()).as("eve", "other").build());
        dashboard.handle(
                TestRequest.get("api/v1/nothing", Map.of()).as("ann", "admin").build());
        dashboard.handle(
                TestRequest.get("api/v1/session", Map.of()).as("ann", "admin").build());

        assertThat(dashboard.denied()).isEqualTo(2);
    }

    @Test
    void aDownloadIsNeverShownByTheBrowser() {
        Dashboard dashboard = of(Route.get(
                "bytes",
                Permission.VIEW,
                Scope.ENGINE,
                call -> new Answer.Bytes(
                        "application/octet-stream", "<script>".getBytes(StandardCharsets.UTF_8), "payload.bin")));

        DashboardResponse response =
                dashboard.handle(TestRequest.get("bytes", Map.of()).build());

        assertThat(response.headers())
                .containsEntry("Content-Disposition", "attachment; filename=\"payload.bin\"")
                .containsEntry("Content-Type", "application/octet-stream")
                .containsEntry("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
    }

    @Test
    void whoHasTheVersionIsAnsweredWithNothing() {
        Dashboard dashboard = of(Route.get(
                "polled", Permission.VIEW, Scope.ENGINE, call -> Answer.polled(Map.of("ready", 1), "version 7")));
        DashboardResponse first =
                dashboard.handle(TestRequest.get("polled", Map.of()).build());
        String tag = first.headers().get("ETag");

        DashboardResponse again = dashboard.handle(TestRequest.get("polled", Map.of())
                .header("if-none-match", "W/" + tag)
                .build());

        assertThat(first.headers()).containsEntry("Cache-Control", "private, no-cache");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(dashboard
                        .handle(TestRequest.get("polled", Map.of("engine", "main"))
                                .header("if-none-match", tag)
                                .build())
                        .status())
                .as("another query")
                .isEqualTo(200);
        assertThat(of(Route.get(
                                "polled",
                                Permission.VIEW,
                                Scope.ENGINE,
                                call -> Answer.polled(Map.of("ready", 2), "version 7")))
                        .handle(TestRequest.get("polled", Map.of())
                                .header("if-none-match", tag)
                                .build())
                        .status())
                .as("another process")
                .isEqualTo(200);
    }

    @Test
    void textsThatAreNoUnicodeAreAnsweredAllTheSame() {
        Dashboard dashboard = of(Route.get(
                "odd", Permission.VIEW, Scope.ENGINE, call -> Answer.json(Map.of("text", "a\ud800b\u2028</script>"))));

        DashboardResponse response =
                dashboard.handle(TestRequest.get("odd", Map.of()).build());

        assertThat(response.status()).isEqualTo(200);
        assertThat(json(response).at("/text").asString()).isEqualTo("a?b\u2028</script>");
    }

    private Dashboard of(Route route) {
        return new Dashboard(
                Map.of(Dashboard.MAIN, new Database(Dashboard.MAIN, database.engine(), 2, Duration.ofSeconds(2))),
                new Routes(List.of(route)),
                Dashboard.builder().authentication(),
                Set.of(),
                AccessPolicy.BY_LEVEL);
    }

    @Test
    void aRouteThatChangesSomethingNeedsAPermissionThatDoes() {
        assertThatThrownBy(() -> Route.post("x", Permission.VIEW, Scope.ENGINE, call -> Answer.json(Map.of())))
                .hasMessageContaining("POST x must not need VIEW");
        assertThatThrownBy(() -> Route.get("x", Permission.OPERATE, Scope.ENGINE, call -> Answer.json(Map.of())))
                .hasMessageContaining("GET x must not need OPERATE");
        assertThatThrownBy(() -> Route.get("x/{id}", Permission.VIEW, Scope.ENGINE, call -> Answer.json(Map.of())))
                .hasMessageContaining("fixed words");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "api/v1",
                "api/v1/queues/",
                "/api/v1/queues",
                "api/v1/../v1/queues",
                "API/v1/queues",
                "api/v1/queues;x=1",
                "api/v1/queues%2F"
            })
    void aPathThatIsAlmostARouteIsNone(String path) {
        DashboardResponse response =
                local(database).handle(TestRequest.get(path, Map.of()).build());

        assertThat(response.status()).isEqualTo(404);
        assertSecurityHeaders(response);
    }

    @Test
    void refusesWhatIsTooLong() {
        Dashboard dashboard = local(database);
        String long9 = "x".repeat(9 * 1024);
        assertThat(dashboard
                        .handle(TestRequest.get("api/v1/queues", Map.of("q", long9))
                                .build())
                        .status())
                .isEqualTo(414);
        assertThat(dashboard
                        .handle(TestRequest.get("api/v1/queues", Map.of())
                                .header("x-a", long9)
                                .header("x-b", long9)
                                .build())
                        .status())
                .isEqualTo(431);
        assertThat(dashboard
                        .handle(TestRequest.post("api/v1/queue/pause", Map.of())
                                .body("{\"queue\": \"" + "x".repeat(RequestRules.MAX_BODY_BYTES) + "\"}")
                                .build())
                        .status())
                .isEqualTo(413);
        assertThat(database.asked()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "\"x\"",
                "{",
                "{\"queue\":\"a\",\"queue\":\"b\"}",
                "{\"queue\":[\"a\"]}",
                "{\"queue\":\"..\"}",
                "{} {}",
                "null"
            })
    void refusesABodyThatIsNoObjectWithValidFields(String body) {
        DashboardResponse response = local(database)
                .handle(TestRequest.post("api/v1/queue/pause", Map.of())
                        .body(body)
                        .build());

        assertThat(response.status()).isEqualTo(400);
        assertThat(database.asked()).isZero();
    }

    @Test
    void whileTheDatabaseIsAwayOnlyOneRequestAsksIt() {
        Dashboard dashboard = local(database);
        dashboard.handle(TestRequest.get("api/v1/queues", Map.of()).build());
        int before = database.asked();

        DashboardResponse response =
                dashboard.handle(TestRequest.get("api/v1/queues", Map.of()).build());

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.headers()).containsEntry("Retry-After", "5");
        assertThat(json(response).at("/exitCode").asInt()).isEqualTo(3);
        assertThat(json(response).at("/database/state").asString()).isEqualTo("DOWN");
        assertThat(database.asked()).isEqualTo(before);

        DashboardResponse overview =
                dashboard.handle(TestRequest.get("api/v1/overview", Map.of()).build());
        assertThat(overview.status()).isEqualTo(200);
        assertThat(json(overview).at("/attention/0/kind").asString()).isEqualTo("DATABASE_AWAY");
    }

    private static JsonNode json(DashboardResponse response) {
        return new JsonMapper().readTree(response.body());
    }

    private static String text(DashboardResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
