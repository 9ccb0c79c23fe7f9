package io.acidq.dashboard.jdk;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.DashboardRequest;
import io.acidq.dashboard.DashboardResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves a dashboard with the HTTP server of the JDK, for processes without a servlet container. The {@link Dashboard} decides everything. Closing it stops it.
 *
 * <p>The server of the JDK reads each request in a thread, so that a slow client holds one. There are many threads, of which a few work at once: a slow client cannot keep
 * others from being answered. The server has limits for the whole process, which are set at the first start unless system properties have set them: 15 seconds to send a request, 60
 * to receive a response, 32 KiB of headers.
 */
public final class DashboardHttpServer implements AutoCloseable {

    private static final int THREADS = 256;
    private static final int THREADS_AT_WORK = 16;
    private static final int SECONDS_TO_WAIT_FOR_WORK = 10;
    private static final int SECONDS_IDLE = 30;

    /** What is read of a body before the request is worked on. Only users who are signed in send more. */
    private static final int READ_BEFORE_WORK = 64 * 1024;

    private static final int SECONDS_TO_FINISH = 8;
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", "15",
            "sun.net.httpserver.maxRspTime", "60",
            "sun.net.httpserver.maxReqHeaders", "100",
            "sun.net.httpserver.maxReqHeaderSize",
                    String.valueOf(32 * 1024)); // Dashboard refuses 16 KiB with a message

    private final HttpServer server;
    private final ExecutorService threads;

    private final Requests requests;

    private DashboardHttpServer(HttpServer server, ExecutorService threads, Requests requests) {
        this.server = server;
        this.threads = threads;
        this.requests = requests;
    }

    /** Starts a server without authentication, for local mode or behind a proxy that names the user. */
    public static DashboardHttpServer start(Dashboard dashboard, InetSocketAddress address, String path)
            throws IOException {
        return start(dashboard, address, path, null, null, (user, role) -> false);
    }

    /**
     * Starts a server.
     *
     * @param address       the address and the port; port 0 for a free one
     * @param path          the path of the dashboard, such as {@code /acidq}; empty for the root
     * @param tls           the certificates for https; null for plain http
     * @param authenticator authenticates the users; null for none
     * @param hasRole       whether a user has a role
     */
    public static DashboardHttpServer start(
            Dashboard dashboard,
            InetSocketAddress address,
            String path,
            @Nullable SSLContext tls,
            @Nullable Authenticator authenticator,
            BiPredicate<String, String> hasRole)
            throws IOException {
        LIMITS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
        String mount = path.endsWith("/") ? path : path + "/";
        HttpServer server = tls == null ? HttpServer.create(address, 0) : HttpsServer.create(address, 0);
        if (server instanceof HttpsServer https) {
            https.setHttpsConfigurator(new HttpsConfigurator(tls));
        }
        Requests requests = new Requests();
        HttpContext context = server.createContext(
                mount, exchange -> handle(dashboard, exchange, mount, tls != null, hasRole, requests));
        if (mount.length() > 1) {
            server.createContext(mount.substring(0, mount.length() - 1), exchange -> redirect(exchange, mount));
        }
        if (authenticator != null) {
            context.setAuthenticator(authenticator);
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService threads = new ThreadPoolExecutor(
                0,
                THREADS,
                SECONDS_IDLE,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "acidq-dashboard-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                DashboardHttpServer::waitForThread);
        server.setExecutor(threads);
        server.start();
        return new DashboardHttpServer(server, threads, requests);
    }

    /** Lets the server wait until a thread is free. It accepts no connection meanwhile. */
    private static void waitForThread(Runnable task, ThreadPoolExecutor threads) {
        try {
            if (threads.isShutdown()) {
                throw new RejectedExecutionException("the server is closed");
            }
            threads.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("the server is being closed", e);
        }
    }

    /** The address that the server listens on, with its port. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private static void handle(
            Dashboard dashboard,
            HttpExchange exchange,
            String mount,
            boolean secure,
            BiPredicate<String, String> hasRole,
            Requests requests)
            throws IOException {
        boolean isAccepted = requests.begin();
        try (exchange) {
            if (!isAccepted) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            InputStream body = exchange.getRequestBody();
            InputStream read = new ByteArrayInputStream(body.readNBytes(READ_BEFORE_WORK)); // here a slow client waits
            DashboardRequest request = requestOf(exchange, mount, secure, hasRole, new SequenceInputStream(read, body));
            if (!requests.beginWork()) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            DashboardResponse answer;
            try {
                answer = dashboard.handle(request);
            } finally {
                requests.endWork();
            }
            Headers headers = exchange.getResponseHeaders();
            answer.headers().forEach(headers::set);
            boolean hasBody =
                    answer.body().length > 0 && !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), hasBody ? answer.body().length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(answer.body());
            }
        } finally {
            if (isAccepted) {
                requests.end();
            }
        }
    }

    /** Adds the slash that is missing at the end of the path: the URLs in the page are relative to it. */
    private static void redirect(HttpExchange exchange, String mount) throws IOException {
        try (exchange) {
            boolean isMount = (exchange.getRequestURI().getPath() + "/").equals(mount);
            DashboardResponse answer = isMount
                    ? Dashboard.redirect(mount.substring(mount.lastIndexOf('/', mount.length() - 2) + 1))
                    : Dashboard.nothingHere();
            Headers headers = exchange.getResponseHeaders();
            answer.headers().forEach(headers::set);
            exchange.sendResponseHeaders(answer.status(), -1);
        }
    }

    private static DashboardRequest requestOf(
            HttpExchange exchange,
            String mount,
            boolean secure,
            BiPredicate<String, String> hasRole,
            InputStream body) {
        String query = exchange.getRequestURI().getRawQuery();
        HttpPrincipal principal = exchange.getPrincipal();
        String user = principal == null ? null : principal.getUsername();
        Map<String, List<String>> headers = exchange.getRequestHeaders().entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
        return new DashboardRequest(
                exchange.getProtocol(),
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath().substring(mount.length()),
                query == null ? "" : query,
                headers,
                exchange.getRemoteAddress().getAddress().getHostAddress(),
                secure,
                user,
                role -> user != null && hasRole.test(user, role),
                Map.of(),
                body);
    }

    /** Stops the server. New requests are refused; those that are being answered have 8 seconds to end. */
    @Override
    public void close() {
        requests.awaitEnd(SECONDS_TO_FINISH);
        server.stop(0); // it would wait for the whole time, also without requests
        threads.shutdownNow();
    }

    /** The requests that are being answered. */
    private static final class Requests {

        private final Semaphore permits = new Semaphore(Integer.MAX_VALUE);
        private final Semaphore work = new Semaphore(THREADS_AT_WORK, true);
        private final AtomicBoolean closed = new AtomicBoolean();

        /** Waits until the request may be worked on. Returns false if that takes too long. */
        boolean beginWork() {
            try {
                return work.tryAcquire(SECONDS_TO_WAIT_FOR_WORK, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        void endWork() {
            work.release();
        }

        boolean begin() {
            return !closed.get() && permits.tryAcquire();
        }

        void end() {
            permits.release();
        }

        /** Refuses new requests, and waits for those that run. What runs longer is interrupted, and the database rolls it back. */
        void awaitEnd(int seconds) {
            if (closed.getAndSet(true)) {
                return;
            }
            int waiting = permits.drainPermits();
            try {
                permits.tryAcquire(Integer.MAX_VALUE - waiting, seconds, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
