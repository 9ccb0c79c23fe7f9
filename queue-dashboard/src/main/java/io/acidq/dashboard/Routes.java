package io.acidq.dashboard;

import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table of the routes. A request has a route if its path is equal to that of the route; there are no patterns. Immutable. */
final class Routes {

    private final Map<String, Map<String, Route>> byPath = new LinkedHashMap<>();

    Routes(Collection<Route> routes) {
        for (Route route : routes) {
            Route other = byPath.computeIfAbsent(route.path(), path -> new TreeMap<>())
                    .put(route.method(), route);
            if (other != null) {
                throw new IllegalArgumentException("two routes for " + route.method() + " " + route.path());
            }
        }
    }

    /** All routes, in their order. */
    List<Route> all() {
        return byPath.values().stream().flatMap(each -> each.values().stream()).toList();
    }

    /**
     * Returns the route of a request.
     *
     * @throws RequestException with 404 when there is none of this path, with 405 when it has other methods
     */
    Route find(String method, String path) {
        Map<String, Route> methods = byPath.get(path);
        if (methods == null) {
            throw RequestException.notFound("there is nothing at this path");
        }
        Route route = methods.get(method);
        if (route == null) {
            throw new RequestException(405, "the method must be " + allowed(path));
        }
        return route;
    }

    /** The methods of a path, as the header Allow lists them. */
    String allowed(String path) {
        return String.join(", ", byPath.getOrDefault(path, Map.of()).keySet());
    }
}
