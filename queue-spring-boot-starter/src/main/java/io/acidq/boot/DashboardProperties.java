package io.acidq.boot;

import io.acidq.QueueMisuseException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the dashboard, which needs the module queue-dashboard.
 *
 * @param enabled         Whether the application serves the dashboard.
 * @param path            The path of the dashboard, below the context path of the application.
 * @param port            A port of its own for the dashboard, with the HTTP server of the JDK. Default: the port of the application. An application
 *                        without a servlet container needs it.
 * @param address         The address that the port of its own listens on.
 * @param roles           Which roles of the application's users give which level. Without roles and user-header the dashboard answers requests of its
 *                        own machine only.
 * @param unmaskedRoles   The roles whose users also see payloads without the mask.
 * @param trustedProxies  The addresses of proxies whose headers are believed, such as 10.1.0.0/16. Too wide: others can name a user or an origin.
 * @param userHeader      The header in which a trusted proxy names the user, such as X-Forwarded-User.
 * @param userHeaderLevel The level of the users that the header names: viewer, operator or admin.
 * @param localLevel      The level of the user when the dashboard answers its own machine only: viewer, operator or admin.
 * @param origins         Further origins of the dashboard, such as https://ops.example.com, for a proxy that is not trusted and changes the host.
 * @param readOnly        Whether every change is refused.
 * @param mask            The words of names whose values are masked, and paths such as orders:$.customer.birthday. Default: password, passwd, pwd, secret,
 *                        credential, token, authorization, cookie, apiKey, privateKey, iban, cardNumber, cvv; paths alone add to these words.
 * @param connections     How many connections the dashboard uses at once for each engine, 1 to 20. Too many: less for the work.
 * @param statementTimeout How long a statement of a read may take, 10 ms to 60 s; then the database server ends it.
 * @param environment     The name of the environment, which the screens show, such as production.
 */
record DashboardProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/acidq") String path,
        @Nullable Integer port,
        @DefaultValue("127.0.0.1") InetAddress address,
        @DefaultValue Roles roles,
        @DefaultValue List<String> unmaskedRoles,
        @DefaultValue List<String> trustedProxies,
        @Nullable String userHeader,
        @DefaultValue("viewer") Level userHeaderLevel,
        @DefaultValue("operator") Level localLevel,
        @DefaultValue List<String> origins,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue List<String> mask,
        @DefaultValue("2") int connections,
        @DefaultValue("2s") Duration statementTimeout,
        @DefaultValue("") String environment) {

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

    DashboardProperties {
        if (!PATH.matcher(path).matches()) {
            throw new QueueMisuseException("setting acidq.dashboard.path is '" + path
                    + "': give a path with a slash at its start and none at its end, such as /acidq");
        }
        if (port != null && (port < 0 || port > 65_535)) {
            throw new QueueMisuseException(
                    "setting acidq.dashboard.port is " + port + ": give a port from 1 to 65535, or 0 for a free one");
        }
    }

    /** Returns whether no user is authenticated, so that only requests of this machine can be answered. */
    boolean isLocal() {
        return roles.isEmpty() && userHeader == null;
    }

    /**
     * The roles of each level. Each level has the permissions of those before it.
     *
     * @param viewer   The roles of users who see numbers, states and ids.
     * @param operator The roles of users who also see masked content, and pause, replay and cancel.
     * @param admin    The roles of users who also discard and remove.
     */
    record Roles(
            @DefaultValue List<String> viewer,
            @DefaultValue List<String> operator,
            @DefaultValue List<String> admin) {

        boolean isEmpty() {
            return viewer.isEmpty() && operator.isEmpty() && admin.isEmpty();
        }
    }

    /** The levels of users. Those of the dashboard have the same names; an application without its module cannot load them. */
    enum Level {
        VIEWER,
        OPERATOR,
        ADMIN
    }
}
