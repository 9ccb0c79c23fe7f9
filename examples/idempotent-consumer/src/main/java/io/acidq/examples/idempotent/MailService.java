package io.acidq.examples.idempotent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** An external mail service, which sends one mail for each idempotency key. It loses its first response. */
@Component
final class MailService implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, String> mailsByKey = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();

    MailService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mails", this::mail);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mails");
    }

    int requests() {
        return requests.get();
    }

    /** The mails that customers received. */
    Collection<String> mails() {
        return mailsByKey.values();
    }

    private void mail(HttpExchange exchange) throws IOException {
        try (exchange) {
            int request = requests.incrementAndGet();
            String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            mailsByKey.putIfAbsent(exchange.getRequestHeaders().getFirst("Idempotency-Key"), text);
            if (request > 1) { // the first mail is sent too, but its response is lost
                exchange.sendResponseHeaders(200, -1);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
