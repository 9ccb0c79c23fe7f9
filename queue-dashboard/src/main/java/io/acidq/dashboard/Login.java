package io.acidq.dashboard;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.login.Accounts;
import io.acidq.dashboard.route.RequestException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users who sign in at the dashboard itself, and their sessions, which are in the memory of this process. A session ends after 30 minutes without a request, after 8
 * hours, and with each change of the accounts.
 */
final class Login {

    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofHours(8);
    private static final int ID_BYTES = 32;
    private static final int COMPARISONS_AT_ONCE = 2;
    private static final int SECONDS_TO_WAIT = 5;
    private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Accounts accounts;
    private final List<AddressRange> trustedProxies;
    private final LongSupplier nanoTime;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Failures failures;

    /** A password takes a large part of a second to compare. */
    private final Semaphore comparisons = new Semaphore(COMPARISONS_AT_ONCE);

    Login(Accounts accounts, List<AddressRange> trustedProxies, LongSupplier nanoTime) {
        this.accounts = accounts;
        this.trustedProxies = List.copyOf(trustedProxies);
        this.nanoTime = nanoTime;
        this.failures = new Failures(nanoTime);
    }

    /** Whether users type a code without a name. */
    boolean usesCode() {
        return accounts.usesCode();
    }

    /**
     * Refuses a request over which no password may be sent: one of another machine that is neither encrypted nor passed on by a trusted proxy, and with a code one that
     * is not local.
     */
    void checkWay(DashboardRequest request) {
        if (accounts.usesCode()) {
            Authentication.checkLocal(request);
        }
        InetAddress peer = AddressRange.address(request.remoteAddress());
        if (!request.secure() && !isTrustedProxy(request) && (peer == null || !peer.isLoopbackAddress())) {
            throw RequestException.forbidden("the request comes from " + request.remoteAddress()
                    + " over plain http, where others can read passwords: use https, or ask through a trusted proxy");
        }
    }

    /** Called before the form is shown. */
    void prepare() {
        accounts.prepare();
    }

    /** Returns the user of the session of a request; null without a session. */
    @Nullable
    User user(DashboardRequest request) {
        String id = sessionId(request);
        Session session = id == null ? null : sessions.get(id);
        if (session == null) {
            return null;
        }
        long now = nanoTime.getAsLong();
        if (session.isOver(now) || session.version != accounts.version()) {
            sessions.remove(String.valueOf(id));
            return null;
        }
        session.usedAt = now;
        return session.user;
    }

    /**
     * Signs a user in and returns the cookie of a new session, never of one that the request names. The session of the request ends.
     *
     * @throws RequestException with 401 if name or secret is wrong, with 429 after too many failures, with 503 when others are being signed in
     */
    String signIn(DashboardRequest request, String name, String secret) {
        String address = clientAddress(request);
        failures.add(name, address); // before it is one: several requests at once must not have more guesses
        Object version = accounts.version();
        User user = compare(name, secret);
        if (user == null) {
            throw new RequestException(
                    401,
                    accounts.usesCode()
                            ? "the code is wrong, was used, or is older than 10 minutes: open the page again for a new one"
                            : "the name or the password is wrong");
        }
        failures.removeLast(name, address);
        signOut(request);
        long now = nanoTime.getAsLong();
        sessions.values().removeIf(session -> session.isOver(now));
        byte[] bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sessions.put(id, new Session(user, version, now));
        return cookie(request, id, "");
    }

    private @Nullable User compare(String name, String secret) {
        try {
            if (!comparisons.tryAcquire(SECONDS_TO_WAIT, TimeUnit.SECONDS)) {
                throw new RequestException(503, "others are signing in: try again in a few seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestException(503, "the dashboard stops");
        }
        try {
            return accounts.signIn(name, secret);
        } finally {
            comparisons.release();
        }
    }

    /** Ends the session of a request, and returns the cookie that removes it from the browser. */
    String signOut(DashboardRequest request) {
        String id = sessionId(request);
        if (id != null) {
            sessions.remove(id);
        }
        return cookie(request, "", "; Max-Age=0");
    }

    private String cookie(DashboardRequest request, String value, String more) {
        return cookieName(request) + "=" + value + "; Path=/; HttpOnly; SameSite=Strict"
                + (isEncrypted(request) ? "; Secure" : "") + more;
    }

    /** Returns the name of the cookie. Cookies do not know ports, and each port may have a dashboard of its own. */
    private String cookieName(DashboardRequest request) {
        String host = request.header("host");
        Matcher port = PORT.matcher(host == null ? "" : host);
        return (isEncrypted(request) ? "__Host-acidq-session" : "acidq-session")
                + (port.find() ? "-" + port.group(1) : "");
    }

    /** Returns the value of the cookie; null if there is none, or if another page has added a second one. */
    private @Nullable String sessionId(DashboardRequest request) {
        String prefix = cookieName(request) + "=";
        List<String> found = request.values("cookie").stream()
                .flatMap(header -> List.of(header.split(";")).stream())
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(prefix))
                .map(cookie -> cookie.substring(prefix.length()))
                .toList();
        return found.size() == 1 ? found.get(0) : null;
    }

    private boolean isEncrypted(DashboardRequest request) {
        return request.secure()
                || (isTrustedProxy(request) && "https".equalsIgnoreCase(request.header("x-forwarded-proto")));
    }

    private boolean isTrustedProxy(DashboardRequest request) {
        return trustedProxies.stream().anyMatch(range -> range.contains(request.remoteAddress()));
    }

    /** Returns the address of the client: what a trusted proxy has added last to its header, else the peer. */
    private String clientAddress(DashboardRequest request) {
        List<String> forwarded = request.values("x-forwarded-for");
        if (forwarded.isEmpty() || !isTrustedProxy(request)) {
            return request.remoteAddress();
        }
        String last = forwarded.get(forwarded.size() - 1);
        return last.substring(last.lastIndexOf(',') + 1).strip();
    }

    private static final class Session {

        private final User user;
        private final Object version;
        private final long beganAt;
        private volatile long usedAt;

        Session(User user, Object version, long now) {
            this.user = user;
            this.version = version;
            beganAt = now;
            usedAt = now;
        }

        boolean isOver(long now) {
            return now - beganAt > LONGEST.toNanos() || now - usedAt > IDLE.toNanos();
        }
    }

    /** The failures of the last minute: 5 for a name from an address, and 20 from an address. */
    private static final class Failures {

        private static final Duration WINDOW = Duration.ofMinutes(1);
        private static final int MAX_OF_A_NAME = 5;
        private static final int MAX_OF_AN_ADDRESS = 20;
        private static final int MAX_KEYS = 10_000;

        private final LongSupplier nanoTime;
        private final Map<List<String>, ArrayDeque<Long>> byKey = new HashMap<>();

        Failures(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
        }

        /** Adds a failure, or refuses it if there were too many. */
        synchronized void add(String name, String address) {
            long now = nanoTime.getAsLong();
            byKey.values().removeIf(times -> now - times.getLast() > WINDOW.toNanos());
            ArrayDeque<Long> ofName = times(List.of(name, address), now);
            ArrayDeque<Long> ofAddress = times(List.of(address), now);
            if (ofName.size() >= MAX_OF_A_NAME || ofAddress.size() >= MAX_OF_AN_ADDRESS || byKey.size() >= MAX_KEYS) {
                throw new RequestException(429, "too many failures: try again in a minute");
            }
            ofName.add(now);
            ofAddress.add(now);
            byKey.put(List.of(name, address), ofName);
            byKey.put(List.of(address), ofAddress);
        }

        private ArrayDeque<Long> times(List<String> key, long now) {
            ArrayDeque<Long> times = byKey.getOrDefault(key, new ArrayDeque<>());
            times.removeIf(time -> now - time > WINDOW.toNanos());
            return times;
        }

        synchronized void removeLast(String name, String address) {
            for (List<String> key : List.of(List.of(name, address), List.of(address))) {
                byKey.computeIfPresent(key, (same, times) -> {
                    times.pollLast();
                    return times.isEmpty() ? null : times;
                });
            }
        }
    }
}
