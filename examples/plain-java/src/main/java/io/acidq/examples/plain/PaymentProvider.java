package io.acidq.examples.plain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody else's service that charges cards over HTTP, at most once for each idempotency key. It loses its first answer. */
final class PaymentProvider implements AutoCloseable {

    static final String KEY_HEADER = "Idempotency-Key";
    private static final int BAD_REQUEST = 400;
    private static final int OK = 200;

    private final HttpServer server;
    private final Map<String, String> chargesByKey = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();

    private PaymentProvider(HttpServer server) {
        this.server = server;
    }

    static PaymentProvider open() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PaymentProvider provider = new PaymentProvider(server);
        server.createContext("/charges", provider::charge);
        server.start();
        return provider;
    }

    URI charges() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/charges");
    }

    int requests() {
        return requests.get();
    }

    /** How often it has taken money. */
    int charged() {
        return chargesByKey.size();
    }

    private void charge(HttpExchange exchange) throws IOException {
        try (exchange) {
            int request = requests.incrementAndGet();
            String key = exchange.getRequestHeaders().getFirst(KEY_HEADER);
            if (key == null) {
                exchange.sendResponseHeaders(BAD_REQUEST, -1);
                return;
            }
            String charge = chargesByKey.computeIfAbsent(key, k -> "charge-" + request);
            if (request == 1) {
                return; // the money is taken, but the response is lost
            }
            byte[] answer = charge.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(OK, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
