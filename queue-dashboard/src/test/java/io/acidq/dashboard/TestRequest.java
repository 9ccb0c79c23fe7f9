package io.acidq.dashboard;

import io.acidq.dashboard.route.Route;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** A request of a browser on this machine, which a test changes. */
final class TestRequest {

    static final String QUEUE = "orders";
    static final String ID = "orders~3~0190b6f8-0000-7000-8000-000000000001";

    /** Routes with keys that need a further permission. */
    private static final Pattern KEY_SEARCHES = Pattern.compile("/(dead|messages)(/|$)");

    /** A valid value of each parameter of the routes. */
    private static final Map<String, Object> VALUES = Map.ofEntries(
            Map.entry("queue", QUEUE),
            Map.entry("id", ID),
            Map.entry("deadLetter", ID),
            Map.entry("key", "order 1"),
            Map.entry("orderingKey", "customer 1"),
            Map.entry("topic", "order.placed"),
            Map.entry("subscription", "billing"),
            Map.entry("remaining", "KEEP"),
            Map.entry("name", "nightly"),
            Map.entry("schedule", "every 30s"),
            Map.entry("diedAt", "2031-05-01T12:00:00Z"),
            Map.entry("payload", "{}"),
            Map.entry("reason", "a test"));

    /** Escapes, so that half a surrogate pair reaches the dashboard. */
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final String method;
    private final String path;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private Map<String, Object> parameters = Map.of();
    private String body;
    private String protocol = "HTTP/1.1";
    private String remoteAddress = "127.0.0.1";
    private boolean secure;
    private String principal;
    private Set<String> roles = Set.of();

    private TestRequest(String method, String path) {
        this.method = method;
        this.path = path;
        headers.put("host", List.of("localhost:8086"));
    }

    static TestRequest get(String path, Map<String, Object> parameters) {
        TestRequest request = new TestRequest("GET", path);
        request.parameters = parameters;
        return request;
    }

    static TestRequest post(String path, Map<String, Object> parameters) {
        TestRequest request = new TestRequest("POST", path);
        request.parameters = parameters;
        request.headers.put("content-type", List.of("application/json"));
        request.headers.put("x-acidq", List.of("1"));
        request.headers.put("sec-fetch-site", List.of("same-origin"));
        return request;
    }

    /** A request of a route, with each of its parameters that has a value here. */
    static TestRequest of(Route route) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        route.parameters().stream()
                .filter(VALUES::containsKey)
                .filter(name -> !(KEY_SEARCHES.matcher(route.path()).find() && name.endsWith("ey")))
                .filter(name -> !(route.path().endsWith("/audit") && name.equals("queue"))) // or the id
                .forEach(name -> parameters.put(name, VALUES.get(name)));
        if (route.path().contains("/bulk")) {
            parameters.replace("id", "7");
        }
        return route.method().equals("GET") ? get(route.path(), parameters) : post(route.path(), parameters);
    }

    /** The same request with another method. */
    TestRequest method(String other) {
        TestRequest request = new TestRequest(other, path);
        request.headers.putAll(headers);
        request.parameters = parameters;
        return request;
    }

    TestRequest header(String name, String... values) {
        headers.put(name, List.of(values));
        return this;
    }

    TestRequest without(String header) {
        headers.remove(header);
        return this;
    }

    TestRequest body(String text) {
        body = text;
        return this;
    }

    /** Adds a parameter. */
    TestRequest with(String parameter, Object value) {
        parameters = new LinkedHashMap<>(parameters);
        parameters.put(parameter, value);
        return this;
    }

    TestRequest from(String address) {
        remoteAddress = address;
        return this;
    }

    TestRequest protocol(String value) {
        protocol = value;
        return this;
    }

    TestRequest secure() {
        secure = true;
        return this;
    }

    TestRequest as(String user, String... with) {
        principal = user;
        roles = Set.of(with);
        return this;
    }

    DashboardRequest build() {
        boolean isGet = method.equals("GET");
        String query = parameters.entrySet().stream()
                .map(each -> each.getKey() + "="
                        + URLEncoder.encode(String.valueOf(each.getValue()), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String json = body != null ? body : JSON.writeValueAsString(parameters);
        Set<String> given = roles;
        return new DashboardRequest(
                protocol,
                method,
                path,
                isGet ? query : "",
                headers.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, each -> new ArrayList<>(each.getValue()))),
                remoteAddress,
                secure,
                principal,
                given::contains,
                Map.of(),
                new ByteArrayInputStream(isGet ? new byte[0] : json.getBytes(StandardCharsets.UTF_8)));
    }
}
