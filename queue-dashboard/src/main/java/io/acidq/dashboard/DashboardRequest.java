package io.acidq.dashboard;

import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request as an adapter passes it on, undecided.
 *
 * @param protocol      the protocol, such as {@code HTTP/1.1}
 * @param method        the method of HTTP
 * @param path          the path below the mount point, without the slash at its start
 * @param query         the text after the question mark, as it came; empty for none
 * @param headers       the values of each header, by its name in lower case
 * @param remoteAddress the address of the peer, in digits
 * @param secure        whether the connection is encrypted
 * @param principal     the name that the server has authenticated; null for none
 * @param hasRole       whether the authenticated user has a role
 * @param csrf          the token that the application wants back, by the name of its header; empty for none
 * @param body          the body
 */
public record DashboardRequest(
        String protocol,
        String method,
        String path,
        String query,
        Map<String, List<String>> headers,
        String remoteAddress,
        boolean secure,
        @Nullable String principal,
        Predicate<String> hasRole,
        Map<String, String> csrf,
        InputStream body) {

    public DashboardRequest {
        Map<String, List<String>> byName = new HashMap<>();
        headers.forEach((name, values) -> {
            if (byName.put(name.toLowerCase(Locale.ROOT), values) != null) {
                throw new IllegalArgumentException(
                        "header '" + name + "' is given twice, in different case: put its values into one list");
            }
        });
        headers = Map.copyOf(byName);
        csrf = Map.copyOf(csrf);
    }

    /** The values of a header; empty if it is absent. */
    List<String> values(String header) {
        return headers.getOrDefault(header.toLowerCase(Locale.ROOT), List.of());
    }

    /** The value of a header that is given once, null if it is absent; an empty text, which equals nothing, if it is given more often. */
    @Nullable
    String header(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.size() == 1 ? values.get(0).strip() : "";
    }
}
