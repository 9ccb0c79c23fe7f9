package io.acidq.dashboard.route;

import io.acidq.dashboard.access.Permission;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A route: one method and one fixed path. Names, keys and ids are parameters and never part of a path, since a queue may be named {@code ..}, and since patterns of
 * paths are where exceptions from rules leak.
 *
 * @param method     GET or POST. A GET changes nothing
 * @param path       the path below the mount point, without a slash at its start
 * @param permission what the user needs, for each queue of the scope
 * @param scope      the queues that the request is about
 * @param parameters the names of the parameters; others are refused
 * @param handler    answers the request
 */
public record Route(
        String method, String path, Permission permission, Scope scope, Set<String> parameters, RouteHandler handler) {

    private static final Pattern PATH = Pattern.compile("[a-z0-9]+(/[a-z0-9-]+)*(\\.[a-z]+)?");

    public Route {
        boolean isGet = method.equals("GET");
        if (!isGet && !method.equals("POST")) {
            throw new IllegalArgumentException("the method of a route must be GET or POST, was " + method);
        }
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("the path of a route must be fixed words, was " + path);
        }
        if (isGet == permission.changes()) {
            throw new IllegalArgumentException(
                    method + " " + path + " must not need " + permission
                            + ": a GET changes nothing, and a POST needs OPERATE or DESTROY, so that a read-only dashboard refuses it");
        }
        parameters = Set.copyOf(parameters);
    }

    public static Route get(
            String path, Permission permission, Scope scope, RouteHandler handler, String... parameters) {
        return new Route("GET", path, permission, scope, Set.of(parameters), handler);
    }

    public static Route post(
            String path, Permission permission, Scope scope, RouteHandler handler, String... parameters) {
        return new Route("POST", path, permission, scope, Set.of(parameters), handler);
    }

    /** Answers the requests of a route. */
    @FunctionalInterface
    public interface RouteHandler {
        Answer answer(Call call);
    }
}
