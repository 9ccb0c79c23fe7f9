package io.acidq.dashboard;

import io.acidq.dashboard.route.RequestException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules that every request keeps before a route sees it: its size, and for a POST that it comes from a page of this dashboard. Another origin can send neither
 * the content type nor the header of a POST without asking first, which the dashboard does not answer; and the browser says where the request comes from.
 *
 * @param authentication knows the trusted proxies, whose statement of the origin is believed
 * @param origins        further origins of the dashboard, such as {@code https://ops.example.com}
 */
record RequestRules(Authentication authentication, Set<String> origins) {

    static final int MAX_BODY_BYTES = 2 * 1024 * 1024;
    static final int MAX_HEADER_CHARACTERS = 16 * 1024;
    static final int MAX_QUERY_CHARACTERS = 8 * 1024;

    /** The header that only a page of the dashboard sends. */
    static final String HEADER = "X-AcidQ";

    RequestRules {
        for (String origin : origins) {
            if (!origin.matches("https?://[^/]+")) {
                throw new IllegalArgumentException(
                        "the origin '" + origin + "' must be a scheme and a host, such as https://ops.example.com");
            }
        }
        origins = origins.stream().map(RequestRules::withPort).collect(Collectors.toUnmodifiableSet());
    }

    /** Checks the lengths of headers and query. */
    void checkSize(DashboardRequest request) {
        long characters = 0;
        for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
            for (String value : header.getValue()) {
                characters += header.getKey().length() + value.length() + 4;
            }
        }
        if (characters > MAX_HEADER_CHARACTERS) {
            throw new RequestException(431, "the headers have more than " + MAX_HEADER_CHARACTERS + " characters");
        }
        if (request.query().length() > MAX_QUERY_CHARACTERS) {
            throw new RequestException(414, "the query has more than " + MAX_QUERY_CHARACTERS + " characters");
        }
    }

    /** Checks that a POST comes from a page of this dashboard, or from a program that is no browser. */
    void checkPost(DashboardRequest request) {
        String type = request.header("content-type");
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            throw new RequestException(415, "the content type must be application/json, was " + type);
        }
        if (!"1".equals(request.header(HEADER))) {
            throw RequestException.forbidden(
                    "the header " + HEADER + ": 1 is missing, without which a page of another site could act");
        }
        if (!request.query().isEmpty()) {
            throw RequestException.invalid("a POST takes its parameters as JSON: leave the query out");
        }
        String site = request.header("sec-fetch-site");
        if (site != null) {
            if (!site.equals("same-origin")) {
                throw RequestException.forbidden(
                        "the browser says that the request comes from another site (Sec-Fetch-Site: " + site + ")");
            }
            return;
        }
        String origin = request.header("origin"); // Sec-Fetch-Site is not sent over plain http
        if (origin == null) {
            return;
        }
        String own = ownOrigin(request);
        String sent = withPort(origin.toLowerCase(Locale.ROOT));
        if (!sent.equals(withPort(own)) && !origins.contains(sent)) {
            throw RequestException.forbidden(
                    "the request comes from the origin '" + origin + "', and the dashboard's is '" + own
                            + "': if a proxy changes the host, add the first to acidq.dashboard.origins");
        }
    }

    private String ownOrigin(DashboardRequest request) {
        boolean trusted = authentication.isTrustedProxy(request);
        String scheme = trusted ? last(request.header("x-forwarded-proto")) : null;
        String host = trusted ? last(request.header("x-forwarded-host")) : null;
        return ((scheme != null ? scheme : request.secure() ? "https" : "http") + "://"
                        + (host != null ? host : String.valueOf(request.header("host"))))
                .toLowerCase(Locale.ROOT);
    }

    private static @Nullable String last(@Nullable String list) {
        return list == null || list.isBlank()
                ? null
                : list.substring(list.lastIndexOf(',') + 1).strip();
    }

    private static String withPort(String origin) {
        String host = origin.substring(origin.indexOf("://") + 1);
        boolean hasPort = host.matches(".*:\\d+");
        return hasPort ? origin : origin + (origin.startsWith("https:") ? ":443" : ":80");
    }

    /** Reads the body of a POST. */
    static byte[] body(DashboardRequest request) {
        try {
            byte[] body = request.body().readNBytes(MAX_BODY_BYTES + 1);
            if (body.length > MAX_BODY_BYTES) {
                throw new RequestException(413, "the body has more than " + MAX_BODY_BYTES + " bytes");
            }
            return body;
        } catch (IOException e) {
            throw RequestException.invalid("the body ended too early: " + e.getMessage());
        }
    }
}
