package io.acidq.dashboard;

import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.route.RequestException;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides who a user is. With accounts of its own, the session of the request says it. With roles, the application or the container has authenticated
 * the user. With a user header, a trusted proxy has. With neither, the dashboard is in local mode: it answers the machine that it runs on, and
 * refuses whatever may have come from elsewhere.
 *
 * @param roles          the roles of each level; empty for local mode or a user header
 * @param unmaskedRoles  the roles that also see content without the mask
 * @param trustedProxies the addresses of proxies whose headers are believed
 * @param userHeader     the header in which these name the user; null for none
 * @param headerLevel    the level of the users that they name
 * @param localLevel     the level of the user in local mode
 * @param readOnly       whether every change is refused
 * @param login          the users who sign in at the dashboard itself; null for none
 */
record Authentication(
        Map<Level, Set<String>> roles,
        Set<String> unmaskedRoles,
        List<AddressRange> trustedProxies,
        @Nullable String userHeader,
        Level headerLevel,
        Level localLevel,
        boolean readOnly,
        @Nullable Login login) {

    private static final Set<Permission> CHANGES =
            EnumSet.of(Permission.OPERATE, Permission.DESTROY, Permission.UNMASKED);
    private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> FORWARDING_HEADERS = Set.of("forwarded", "x-real-ip", "via");
    private static final String API = "api/";
    private static final Pattern PAGE = Pattern.compile("https?://([^/?#]+)");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

    Authentication {
        roles = roles.isEmpty() ? Map.of() : new EnumMap<>(roles);
        unmaskedRoles = Set.copyOf(unmaskedRoles);
        trustedProxies = List.copyOf(trustedProxies);
    }

    /**
     * Returns the user of a request.
     *
     * @throws RequestException with 401 when the request has no user, with 403 when the user has no role or the request is not local
     */
    User authenticate(DashboardRequest request) {
        User user = login != null
                ? bySession(request, login)
                : !roles.isEmpty()
                        ? byRole(request)
                        : userHeader != null ? byHeader(request, userHeader) : local(request);
        return readOnly ? user.without(CHANGES) : user;
    }

    private static User bySession(DashboardRequest request, Login login) {
        User user = login.user(request);
        if (user == null) {
            throw new RequestException(401, "the request has no user: open the dashboard in a browser and sign in");
        }
        return user;
    }

    private User byRole(DashboardRequest request) {
        String name = request.principal();
        if (name == null || name.isBlank()) {
            throw new RequestException(
                    401, "the request has no user: let the application authenticate requests to the dashboard");
        }
        Level highest = null;
        for (Level level : Level.values()) {
            if (roles.getOrDefault(level, Set.of()).stream().anyMatch(request.hasRole())) {
                highest = level;
            }
        }
        if (highest == null) {
            throw RequestException.forbidden("user '" + name + "' has none of the roles of the dashboard: " + roles);
        }
        User user = User.of(name, highest);
        return unmaskedRoles.stream().anyMatch(request.hasRole()) ? user.with(Permission.UNMASKED) : user;
    }

    private User byHeader(DashboardRequest request, String header) {
        if (!isTrustedProxy(request)) {
            throw RequestException.forbidden("the address " + request.remoteAddress()
                    + " is none of the trusted proxies: ask through the proxy, or add the address to them");
        }
        String name = request.header(header);
        if (name == null || name.isBlank()) {
            throw new RequestException(401, "the proxy has not named one user in the header " + header);
        }
        return User.of(name, headerLevel);
    }

    private User local(DashboardRequest request) {
        checkLocal(request);
        String name = request.principal();
        return User.of(name == null || name.isBlank() ? "local" : name, localLevel);
    }

    /** Refuses a request that may have come from another machine. */
    static void checkLocal(DashboardRequest request) {
        InetAddress peer = AddressRange.address(request.remoteAddress());
        if (peer == null || !peer.isLoopbackAddress()) {
            throw notLocal("it comes from " + request.remoteAddress());
        }
        for (String header : request.headers().keySet()) {
            if (header.startsWith("x-forwarded-") || FORWARDING_HEADERS.contains(header)) {
                throw notLocal("it has the header " + header + ", so a proxy has passed it on");
            }
        }
        String host = request.header("host"); // another name may lead here by DNS rebinding
        if (host == null || !isLocalHost(host)) {
            throw notLocal("its host is '" + host + "'");
        }
        if (request.protocol().equals("HTTP/1.0")) { // no browser speaks it
            throw notLocal("its protocol is HTTP/1.0, as of a proxy such as nginx with its default settings");
        }
        if (request.path().startsWith(API)) { // a link of another site may lead to a page
            checkPageIsLocal(request, "origin");
            checkPageIsLocal(request, "referer");
        }
    }

    /** Refuses a request of a page that the browser has from another host: a proxy that sends a host of its own has passed it on. */
    private static void checkPageIsLocal(DashboardRequest request, String header) {
        if (!request.values(header).isEmpty()) {
            String page = String.valueOf(request.header(header));
            Matcher host = PAGE.matcher(page);
            if (!host.lookingAt() || !isLocalHost(host.group(1))) {
                throw notLocal("its " + header + " is '" + page + "', so a proxy may have passed it on");
            }
        }
    }

    private static boolean isLocalHost(String host) {
        return LOCAL_HOSTS.contains(PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst(""));
    }

    /** Whether the machine alone decides who the user is. */
    boolean isLocalMode() {
        return login == null && roles.isEmpty() && userHeader == null;
    }

    private static RequestException notLocal(String why) {
        return RequestException.forbidden(
                "this dashboard answers its own machine only, and the request is not local: " + why
                        + ". Ask http://localhost, or configure the roles of users, or a trusted proxy with a user header");
    }

    boolean isTrustedProxy(DashboardRequest request) {
        return trustedProxies.stream().anyMatch(range -> range.contains(request.remoteAddress()));
    }
}
