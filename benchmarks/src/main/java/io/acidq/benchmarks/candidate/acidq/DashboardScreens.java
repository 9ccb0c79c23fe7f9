package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.StoredMessage;
import io.acidq.benchmarks.candidate.OperatorScreens;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** AcidQ's dashboard with its server, and the requests of its screens. */
final class DashboardScreens implements OperatorScreens {

    private static final String SERIES =
            "enqueued,done,retried,dead,runP50,runP95,runP99,lagP95,ready,scheduled,waiting,deadLetters,oldest";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Engine engine;
    private final Dashboard dashboard;
    private final DashboardHttpServer server;
    private final Map<String, List<String>> requests;

    /** Serves an engine that does not run, and closes it at the end. The screens show this queue. */
    DashboardScreens(Engine engine, String queue) {
        this.engine = engine;
        dashboard = Dashboard.builder().engine(Dashboard.MAIN, engine).build();
        try {
            server = DashboardHttpServer.start(
                    dashboard, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "/acidq");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requests = requests(engine, queue);
    }

    /** The requests of each page when it is opened, and again when it is refreshed. */
    private static Map<String, List<String>> requests(Engine engine, String name) {
        String queue = "queue=" + encoded(name);
        String history = "history?series=" + SERIES + "&range=360";
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("overview", List.of("overview", "queues?sort=ready&limit=8", history));
        all.put("queues", List.of("queues?limit=100"));
        all.put("queue", List.of("queue?" + queue, "blocked?limit=5&" + queue, history + "&" + queue));
        all.put("messages", List.of("queues?limit=1000", "messages?" + queue));
        all.put("messagesOfAType", List.of("messages?state=READY&type=none&" + queue));
        all.put("messagesOfAnOrderingKey", List.of("messages?orderingKey=none&" + queue));
        all.put("messagesDone", List.of("messages?state=DONE&" + queue));
        all.put("scheduled", List.of("queues?sort=scheduled&limit=100", "scheduled?" + queue));
        all.put("scheduledHistogram", List.of("scheduled/histogram?range=DAY&" + queue));
        all.put("dead", List.of("dead/groups?limit=200"));
        List<StoredMessage> waiting = engine.messages().list(name, null, 1);
        if (!waiting.isEmpty()) {
            all.put("message", message(waiting.get(0).id()));
        }
        List<DeadLetter> dead = engine.deadLetters().list(name, 1);
        if (!dead.isEmpty()) {
            String cause = "cause=" + dead.get(0).cause();
            all.put("deadOfAQueue", List.of("dead?" + queue, "dead/groups?" + queue));
            all.put("deadOfACause", List.of("dead?" + queue + "&" + cause, "dead/groups?" + queue + "&" + cause));
            all.put("deadOfAType", List.of("dead?type=none&" + queue));
            all.put("deadLetter", message(dead.get(0).id()));
        }
        all.put("blocked", List.of("queues?sort=dead&limit=100", "blocked?" + queue));
        all.put("nodes", List.of("nodes"));
        all.put("recurring", List.of("recurring?limit=200"));
        all.put("topics", List.of("topics"));
        all.put("audit", List.of("audit"));
        return all;
    }

    private static List<String> message(MessageId messageId) {
        String id = "?id=" + encoded(messageId.toString());
        return List.of("message" + id, "message/content" + id, "message/timeline" + id, "audit" + id);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public List<String> names() {
        return List.copyOf(requests.keySet());
    }

    /** Sends all requests at once, as the browser does. */
    @Override
    public void open(String name) {
        String base = "http://localhost:" + server.address().getPort() + "/acidq/api/v1/";
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (String request : Objects.requireNonNull(requests.get(name), name)) {
            answers.add(client.sendAsync(
                    HttpRequest.newBuilder(URI.create(base + request)).build(), BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.join();
            if (response.statusCode() != 200) {
                throw new IllegalStateException(
                        response.uri() + " was answered with " + response.statusCode() + ": " + response.body());
            }
        }
    }

    @Override
    public void close() {
        server.close();
        dashboard.close();
        engine.close();
    }
}
