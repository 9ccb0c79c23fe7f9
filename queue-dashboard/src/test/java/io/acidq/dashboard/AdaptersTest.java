package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.access.User;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The same requests over HTTP to the server of the JDK and to a servlet container: what they pass on, and what they write. */
@ParameterizedClass
@EnumSource(WebServer.Kind.class)
@TestInstance(Lifecycle.PER_CLASS)
class AdaptersTest {

    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    @Parameter
    private WebServer.Kind kind;

    @TempDir
    private static Path folder;

    private final UnreachableDatabase database = new UnreachableDatabase();
    private WebServer server;
    private WebServer localServer;

    @BeforeParameterizedClassInvocation
    void start() throws IOException {
        TOMCAT_LOG.setLevel(Level.SEVERE);
        server = kind.start(
                Dashboard.builder()
                        .engine(Dashboard.MAIN, database.engine())
                        .roles(User.Level.VIEWER, "view")
                        .roles(User.Level.ADMIN, "admin")
                        .build(),
                folder);
        localServer = kind.start(
                Dashboard.builder().engine(Dashboard.MAIN, database.engine()).build(), folder);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
        localServer.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/acidq/" + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpRequest.Builder as(String user, String path) {
        return request(path).header(WebServer.USER_HEADER, user);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> response) {
        return new JsonMapper().readTree(response.body());
    }

    @Test
    void theUserAndItsRolesArePassedOn() {
        HttpResponse<String> session = send(as("ann", "api/v1/session"));

        assertThat(session.statusCode()).isEqualTo(200);
        assertThat(session.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(session.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .contains("default-src 'none'");
        assertThat(session.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(json(session).at("/user/name").asString()).isEqualTo("ann");
        assertThat(json(session).at("/user/permissions").toString()).contains("DESTROY");
        assertThat(json(send(as("vic", "api/v1/session")))
                        .at("/user/permissions")
                        .toString())
                .isEqualTo("[\"VIEW\"]");
    }

    @Test
    void theTokenOfTheApplicationIsPassedOn() {
        JsonNode csrf = json(send(as("ann", "api/v1/session"))).at("/csrf");

        if (kind == WebServer.Kind.TOMCAT) {
            assertThat(csrf.toString()).contains("\"X-CSRF-TOKEN\"", "\"t0k3n\"");
        } else {
            assertThat(csrf.isMissingNode()).isTrue();
        }
    }

    @Test
    void withoutAUserTheAnswerIs401AsJson() {
        HttpResponse<String> response = send(request("api/v1/session"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(json(response).at("/error").asString()).contains("the request has no user");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void aPostReachesTheDashboardWithItsBodyAndHeaders() {
        String body = "{\"queue\": \"orders\", \"reason\": \"für 日本\"}";
        HttpRequest.Builder genuine = as("ann", "api/v1/queue/pause")
                .header("Content-Type", "application/json")
                .header("X-AcidQ", "1")
                .header("Origin", "http://localhost:" + server.port())
                .POST(BodyPublishers.ofString(body));
        HttpRequest.Builder forged = as("ann", "api/v1/queue/pause")
                .header("Content-Type", "application/json")
                .header("X-AcidQ", "1")
                .header("Origin", "http://localhost:1")
                .POST(BodyPublishers.ofString(body));

        int before = database.asked();
        HttpResponse<String> refused = send(forged);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(json(refused).at("/error").asString())
                .contains("http://localhost:1", "http://localhost:" + server.port());
        assertThat(database.asked()).isEqualTo(before);

        HttpResponse<String> answered = send(genuine);
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(503);
        assertThat(answered.headers().firstValue("Retry-After")).contains("5");
    }

    @Test
    void theQueryIsPassedOnAsItCame() {
        HttpResponse<String> response = send(as("ann", "api/v1/queue?queue=a%2Fb+%C3%A9%26%3D"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).at("/error").asString()).contains("queue name 'a/b é&=' is not allowed");
        assertThat(send(as("ann", "api/v1/queue?queue=a&queue=b")).statusCode()).isEqualTo(400);
    }

    @Test
    void aKnownVersionIsAnsweredWithoutABody() {
        send(as("ann", "api/v1/overview")); // now the database is known to be away
        HttpResponse<String> first = send(as("ann", "api/v1/overview"));
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = send(as("ann", "api/v1/overview").header("If-None-Match", tag));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("ETag")).contains(tag);
        assertThat(again.headers().firstValue("Content-Security-Policy")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"})
    void anotherMethodIsRefused(String method) {
        HttpResponse<String> response = send(as("ann", "api/v1/session").method(method, BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET");
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/acidq/api/v1/session/",
                "/acidq/api/v1/%2e%2e/v1/nothing",
                "/acidq/api/v1/session%2F..%2Fqueues",
                "/acidq/api/v1/session%00",
                "/acidq/..%2f..%2fetc/passwd"
            })
    void aPathThatIsNoRouteIsRefused(String path) throws IOException {
        assertThat(status("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + WebServer.USER_HEADER
                        + ": ann\r\nConnection: close\r\n\r\n"))
                .isIn(400, 404);
    }

    @Test
    void thePathOfTheDashboardLeadsToTheOverview() {
        HttpResponse<String> withoutSlash =
                send(HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/acidq")));
        HttpResponse<String> withSlash = send(as("ann", ""));
        HttpResponse<String> page = send(as("ann", "overview"));

        assertThat(withoutSlash.statusCode()).isEqualTo(302);
        assertThat(withoutSlash.headers().firstValue("Location")).contains("acidq/");
        assertThat(withoutSlash.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(withSlash.statusCode()).isEqualTo(302);
        assertThat(withSlash.headers().firstValue("Location")).contains("overview");
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body()).startsWith("<!DOCTYPE html>");
    }

    private int status(String request) throws IOException {
        return status(server, request);
    }

    private static int status(WebServer server, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 ");
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    @Test
    void aBodyThatIsTooLongIsRefused() throws IOException {
        int tooLong = RequestRules.MAX_BODY_BYTES + 10;
        String head = "POST /acidq/api/v1/queue/pause HTTP/1.1\r\nHost: localhost\r\n" + WebServer.USER_HEADER
                + ": ann\r\nContent-Type: application/json\r\nX-AcidQ: 1\r\nConnection: close\r\nContent-Length: "
                + tooLong + "\r\n\r\n";

        assertThat(status(head + "x".repeat(tooLong))).isEqualTo(413);
    }

    @Test
    void headersThatAreTooLongAreRefused() throws IOException {
        String head = "GET /acidq/api/v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

        assertThat(status(head + "x-long: " + "x".repeat(RequestRules.MAX_HEADER_CHARACTERS) + "\r\n\r\n"))
                .isIn(400, 431);
    }

    @Test
    void inLocalModeWhatIsNotLocalIsRefused() throws IOException {
        String get = "GET /acidq/api/v1/session HTTP/1.1\r\nConnection: close\r\n";

        assertThat(status(localServer, get + "Host: localhost:" + localServer.port() + "\r\n\r\n"))
                .isEqualTo(200);
        assertThat(status(localServer, get + "Host: evil.example\r\n\r\n")).isEqualTo(403);
        assertThat(status(localServer, get + "Host: localhost\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n"))
                .isEqualTo(403);
        assertThat(status(localServer, get + "Host: localhost\r\nForwarded: for=127.0.0.1\r\n\r\n"))
                .isEqualTo(403);
    }
}
