package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.route.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The file openapi.yaml has the routes with their permissions and parameters, and nothing else. */
class OpenApiTest {

    private static final List<Route> ROUTES = Dashboard.builder()
            .engine(Dashboard.MAIN, new UnreachableDatabase().engine())
            .build()
            .routes()
            .all();

    private final OpenApiDescription description = new OpenApiDescription();

    static Stream<Route> routes() {
        return ROUTES.stream();
    }

    @Test
    void describesTheRoutesAndNoOthers() {
        Set<String> described = new TreeSet<>();
        description
                .root()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .propertyNames()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        assertThat(described)
                .isEqualTo(new TreeSet<>(ROUTES.stream()
                        .map(route -> route.method() + " /" + route.path())
                        .toList()));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void describesPermissionAndParametersOfARoute(Route route) {
        JsonNode operation = description.operation(route.method(), route.path());
        Set<String> parameters = new TreeSet<>();
        if (route.method().equals("GET")) {
            operation
                    .path("parameters")
                    .forEach(each -> parameters.add(
                            description.resolved(each).path("name").asString()));
        } else {
            parameters.addAll(description
                    .resolved(operation
                            .at("/requestBody/content")
                            .path("application/json")
                            .path("schema"))
                    .path("properties")
                    .propertyNames());
        }
        Set<String> expected = new TreeSet<>(route.parameters());
        expected.add("engine");
        if (route.method().equals("GET")) {
            expected.add("timeout");
        }

        assertThat(operation.path("x-permission").asString())
                .isEqualTo(route.permission().name());
        assertThat(parameters).isEqualTo(expected);
        assertThat(operation.path("summary").asString()).isNotEmpty();
    }

    @Test
    void everySchemaIsUsed() {
        String text = description.root().toString();
        description
                .root()
                .at("/components/schemas")
                .propertyNames()
                .forEach(name -> assertThat(text).contains("\"#/components/schemas/" + name + "\""));
    }

    @Test
    void theCheckRefusesAFieldThatIsNotDescribed() {
        DashboardResponse response = new DashboardResponse(
                200,
                Map.of("Content-Type", "application/json"),
                "{\"queue\": \"a\", \"paused\": true, \"changed\": true, \"more\": 1}"
                        .getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> description.check("POST", "api/v1/queue/pause", response))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("more");
        DashboardResponse nested = new DashboardResponse(
                200,
                Map.of("Content-Type", "application/json"),
                "{\"now\": \"2031-05-01T12:00:00Z\", \"asOf\": \"2031-05-01T12:00:00Z\", \"complete\": true, \"queues\": [{\"queue\": \"a\", \"paused\": true, \"complete\": true, \"servedBy\": [], \"more\": 1}]}"
                        .getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> description.check("GET", "api/v1/queues", nested))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("more");
    }

    @Test
    void isServed() {
        DashboardResponse response = Dashboard.builder()
                .engine(Dashboard.MAIN, new UnreachableDatabase().engine())
                .build()
                .handle(TestRequest.get("api/v1/openapi.yaml", Map.of()).build());

        assertThat(response.status()).isEqualTo(200);
        assertThat(new String(response.body(), StandardCharsets.UTF_8)).startsWith("openapi: 3.1.0");
    }
}
