package io.acidq.dashboard;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.JsonPayloadMask;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.SensitiveNames;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.api.Api;
import io.acidq.dashboard.login.Accounts;
import io.acidq.dashboard.read.Database;
import io.acidq.dashboard.read.Database.Status;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Json;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.engine.Engine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard of one or several engines. It knows no server: {@link io.acidq.dashboard.servlet.DashboardServlet} and {@link
 * io.acidq.dashboard.jdk.DashboardHttpServer} pass requests to {@link #handle} and write its responses. Thread-safe.
 *
 * <p>Without {@linkplain Builder#roles roles}, {@linkplain Builder#userHeader user header} and {@linkplain Builder#accounts accounts} it answers
 * requests of its own machine only.
 */
public final class Dashboard implements AutoCloseable {

    /** The name of the engine that a request means if it names none. Without an engine of this name, the first one is meant. */
    public static final String MAIN = "main";

    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);
    private static final String ENGINE = "engine";
    private static final String TIMEOUT = "timeout";
    private static final int LONGEST_TIMEOUT_SECONDS = (int) Database.LONGEST_READ_LIMIT.toSeconds();
    private static final Duration STOP = Duration.ofSeconds(10);
    private static final String RETRY_AFTER_SECONDS = "5";
    private static final String LOGIN = "login";
    private static final String LOGOUT = "logout";
    private static final int MAX_LOGIN_CHARACTERS = 500;

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
                    + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final Map<String, Database> databases;
    private final Routes routes;
    private final Authentication authentication;
    private final RequestRules rules;
    private final AccessPolicy policy;
    private final @Nullable Login login;
    private final Ui ui;
    private final LongAdder denied = new LongAdder();

    /** Part of each ETag: the versions of another process are others. */
    private final String process = UUID.randomUUID().toString();

    Dashboard(
            Map<String, Database> databases,
            Routes routes,
            Authentication authentication,
            Set<String> origins,
            AccessPolicy policy) {
        this.databases = databases;
        this.routes = routes;
        this.authentication = authentication;
        this.rules = new RequestRules(authentication, origins);
        this.policy = policy;
        this.login = authentication.login();
        this.ui = Ui.create(HEADERS, login);
        if (authentication.isLocalMode()) {
            LOG.info(
                    "The dashboard is in local mode: each user of this machine has the level {}. A proxy on this machine would give it to everybody who reaches the proxy:"
                            + " before there is one, configure roles, or trusted proxies with a user header",
                    authentication.localLevel());
        }
    }

    /** Begins a dashboard. */
    public static Builder builder() {
        return new Builder();
    }

    /** The table of the routes. */
    Routes routes() {
        return routes;
    }

    /** How many requests were refused because of the user, the permission or the origin. */
    public long denied() {
        return denied.sum();
    }

    /** Stops the bulk actions that run in this process, each after its current transaction, and waits for them for at most 10 seconds. */
    @Override
    public void close() {
        databases.values().forEach(database -> database.close(STOP));
    }

    /** Leads to another address, such as from the mount point without its slash to the one with it: the URLs in the page are relative to that. */
    public static DashboardResponse redirect(String location) {
        return with(new DashboardResponse(302, HEADERS, new byte[0]), "Location", location);
    }

    /** The answer at a path that is not below the mount point. */
    public static DashboardResponse nothingHere() {
        return new DashboardResponse(404, HEADERS, new byte[0]);
    }

    /** Answers a request. Throws nothing: an unexpected error is logged and answered with status 500. */
    public DashboardResponse handle(DashboardRequest request) {
        String who = "nobody";
        try {
            rules.checkSize(request);
            DashboardResponse ofLogin = login == null ? null : answer(request, login);
            if (ofLogin != null) {
                return ofLogin;
            }
            User user = authentication.authenticate(request);
            who = user.name();
            if (ui.has(request.path())) {
                return ui.answer(request);
            }
            return answer(request, user, routes.find(request.method(), request.path()));
        } catch (RequestException e) {
            if (e.status() == 401 || e.status() == 403 || e.status() == 429) {
                denied.increment();
                LOG.info(
                        "Denied to '{}' at {}: {} {}: {}",
                        clean(who),
                        request.remoteAddress(),
                        clean(request.method()),
                        clean(request.path()),
                        clean(e.text()));
            }
            boolean isLoginPage =
                    request.path().equals(LOGIN) && request.method().equals("GET");
            if (ui.isPage(request.path()) || isLoginPage) {
                return with(
                        new DashboardResponse(e.status(), HEADERS, e.text().getBytes(StandardCharsets.UTF_8)),
                        "Content-Type",
                        "text/plain; charset=utf-8");
            }
            DashboardResponse response = error(e.status(), e.text(), Map.of());
            return e.status() == 405 ? with(response, "Allow", routes.allowed(request.path())) : response;
        } catch (RuntimeException e) {
            String number = UUID.randomUUID().toString();
            LOG.error("Error {} of the dashboard at {} {}", number, clean(request.method()), clean(request.path()), e);
            return error(500, "internal error; the log of the dashboard has it under " + number, Map.of());
        }
    }

    /** Answers what needs no session; null for what does. */
    private @Nullable DashboardResponse answer(DashboardRequest request, Login users) {
        users.checkWay(request);
        String path = request.path();
        if (path.equals(LOGIN) || path.equals(LOGOUT)) {
            if (request.method().equals("POST")) {
                return path.equals(LOGIN) ? signIn(request, users) : signOut(request, users);
            }
            if (path.equals(LOGOUT) || !request.method().equals("GET")) {
                throw new RequestException(405, "the method must be POST");
            }
            if (users.user(request) != null) {
                return redirect("overview");
            }
            users.prepare();
            return ui.loginPage(request, users.usesCode());
        }
        if (ui.isFile(path)) {
            return ui.answer(request);
        }
        if (ui.isPage(path) && users.user(request) == null) {
            String shown = request.query().isEmpty() ? path : path + "?" + request.query();
            return redirect(path.isEmpty() ? LOGIN : LOGIN + "?to=" + URLEncoder.encode(shown, StandardCharsets.UTF_8));
        }
        return null;
    }

    private DashboardResponse signIn(DashboardRequest request, Login users) {
        rules.checkPost(request);
        Parameters parameters = Parameters.ofJson(RequestRules.body(request));
        parameters.allowOnly(Set.of("name", "secret"));
        String name = users.usesCode() ? "" : parameters.text("name");
        String secret = parameters.text("secret");
        if (name.length() > MAX_LOGIN_CHARACTERS || secret.length() > MAX_LOGIN_CHARACTERS) {
            throw RequestException.invalid("name and password have at most " + MAX_LOGIN_CHARACTERS + " characters");
        }
        String cookie = users.signIn(request, name, secret);
        LOG.info("Signed in: '{}' at {}", users.usesCode() ? "the code" : clean(name), request.remoteAddress());
        return with(json(200, Map.of()), "Set-Cookie", cookie);
    }

    private DashboardResponse signOut(DashboardRequest request, Login users) {
        rules.checkPost(request);
        return with(json(200, Map.of()), "Set-Cookie", users.signOut(request));
    }

    private DashboardResponse answer(DashboardRequest request, User user, Route route) {
        boolean isGet = route.method().equals("GET");
        if (!isGet) {
            rules.checkPost(request);
        }
        Parameters parameters =
                isGet ? Parameters.ofQuery(request.query()) : Parameters.ofJson(RequestRules.body(request));
        Set<String> names = new TreeSet<>(route.parameters());
        names.add(ENGINE);
        if (isGet) {
            names.add(TIMEOUT);
        }
        parameters.allowOnly(names);
        Database database = database(parameters.optional(ENGINE));
        Duration limit = isGet ? readLimit(parameters, database) : Duration.ZERO;
        try {
            Call call = new Call(user, database, parameters, policy, acceptsCsv(request), request.csrf());
            checkPermission(call, route);
            if (isGet) {
                return response(
                        request,
                        call,
                        database.reads(limit, () -> route.handler().answer(call)));
            }
            Answer answer = route.handler().answer(call);
            database.sampler().expire();
            database.shared().clear(); // the user looks for what the action has changed
            return response(request, call, answer);
        } catch (TransientQueueException e) {
            Map<String, Object> more = new LinkedHashMap<>(away(database));
            if (isGet && Database.isReadLimit(e) && limit.compareTo(Database.LONGEST_READ_LIMIT) < 0) {
                more.put("longerTimeout", LONGEST_TIMEOUT_SECONDS);
            }
            return with(error(503, String.valueOf(e.getMessage()), more), "Retry-After", RETRY_AFTER_SECONDS);
        } catch (QueueMisuseException e) {
            return error(409, String.valueOf(e.getMessage()), Map.of());
        }
    }

    /** Whether CSV is named first: a browser that opens the address names other types. */
    private static boolean acceptsCsv(DashboardRequest request) {
        return request.values("accept").stream()
                .anyMatch(each -> each.strip().toLowerCase(Locale.ROOT).startsWith("text/csv"));
    }

    /** How long a statement of a GET may take: as the request says, within bounds, or as the dashboard is configured. */
    private static Duration readLimit(Parameters parameters, Database database) {
        return parameters.has(TIMEOUT)
                ? Duration.ofSeconds(parameters.number(TIMEOUT, 0, 1, LONGEST_TIMEOUT_SECONDS))
                : database.readLimit();
    }

    private Database database(@Nullable String name) {
        if (name == null) {
            return databases.getOrDefault(MAIN, databases.values().iterator().next());
        }
        Database database = databases.get(name);
        if (database == null) {
            throw RequestException.notFound(
                    "there is no engine '" + name + "'; there are: " + String.join(", ", databases.keySet()));
        }
        return database;
    }

    private static void checkPermission(Call call, Route route) {
        Permission permission = route.permission();
        if (!call.may(permission, null)) {
            throw RequestException.forbidden("user '" + call.user().name() + "' lacks the permission " + permission);
        }
        for (String queue : route.scope().queues(call.parameters(), call.database())) {
            if (!call.may(permission, queue)) { // also if there is no such queue: what exists is not told
                throw RequestException.forbidden("user '" + call.user().name() + "' lacks the permission " + permission
                        + " for queue '" + queue + "'");
            }
        }
    }

    private static Map<String, Object> away(Database database) {
        Status status = database.status();
        return Map.of(
                "database",
                Map.of("state", status.state().name(), "since", status.since().toString()));
    }

    private DashboardResponse response(DashboardRequest request, Call call, Answer answer) {
        if (answer instanceof Answer.Bytes bytes) {
            return bytes(bytes);
        }
        Answer.Json json = (Answer.Json) answer;
        DashboardResponse response = json(json.status(), json.fields());
        if (json.version() == null) {
            return response;
        }
        String tag = tag(request, call, json.version());
        boolean known = request.values("if-none-match").stream().anyMatch(list -> list.contains(tag));
        DashboardResponse polled = with(
                with(known ? new DashboardResponse(304, HEADERS, new byte[0]) : response, "ETag", tag),
                "Cache-Control",
                "private, no-cache");
        return polled;
    }

    private String tag(DashboardRequest request, Call call, String version) {
        String all = String.join(
                "\n",
                process,
                call.database().name(),
                version,
                request.path(),
                request.query(),
                call.user().name(),
                new TreeSet<>(call.user().permissions()).toString());
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return '"'
                    + Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(hash)
                            .substring(0, 22)
                    + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static DashboardResponse bytes(Answer.Bytes bytes) {
        DashboardResponse response =
                with(new DashboardResponse(200, HEADERS, bytes.bytes()), "Content-Type", bytes.mediaType());
        return bytes.download() == null
                ? response
                : with(
                        with(response, "Content-Disposition", "attachment; filename=\"" + bytes.download() + "\""),
                        "Content-Security-Policy",
                        "sandbox; default-src 'none'; frame-ancestors 'none'");
    }

    private static DashboardResponse error(int status, String text, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("error", text);
        fields.put("exitCode", exitCode(status));
        fields.putAll(more);
        return json(status, fields);
    }

    /** The exit code that the command line has for the same refusal. */
    private static int exitCode(int status) {
        return switch (status) {
            case 401, 403, 404, 409, 422, 429, 500 -> 1;
            case 503 -> 3;
            default -> 2;
        };
    }

    /** Writes a text first: half a surrogate pair, which UTF-8 cannot express, becomes a question mark and no error. */
    private static DashboardResponse json(int status, Map<String, Object> fields) {
        byte[] body = Json.write(fields).getBytes(StandardCharsets.UTF_8);
        return with(new DashboardResponse(status, HEADERS, body), "Content-Type", "application/json");
    }

    private static DashboardResponse with(DashboardResponse response, String header, String value) {
        Map<String, String> headers = new LinkedHashMap<>(response.headers());
        headers.put(header, value);
        return new DashboardResponse(response.status(), headers, response.body());
    }

    /** Returns a text for the log: one line, and not endless. */
    private static String clean(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 500 ? line : line.substring(0, 500) + "…";
    }

    /** Builds a dashboard. */
    public static final class Builder {

        private static final int MAX_CONNECTIONS = 20;
        private static final int MAX_TIMEOUT_SECONDS = 60;

        private final Map<String, Engine> engines = new LinkedHashMap<>();
        private final Map<Level, Set<String>> roles = new EnumMap<>(Level.class);
        private final Set<String> unmaskedRoles = new LinkedHashSet<>();
        private final List<AddressRange> trustedProxies = new ArrayList<>();
        private final Set<String> origins = new LinkedHashSet<>();
        private @Nullable Accounts accounts;
        private @Nullable String userHeader;
        private Level headerLevel = Level.VIEWER;
        private Level localLevel = Level.OPERATOR;
        private boolean readOnly;
        private AccessPolicy policy = AccessPolicy.BY_LEVEL;
        private SensitiveNames sensitiveNames = new SensitiveNames(SensitiveNames.DEFAULT_WORDS);
        private Collection<String> maskedPaths = List.of();
        private @Nullable PayloadMask mask;
        private int connections = 2;
        private Duration statementTimeout = Duration.ofSeconds(2);
        private String environment = "";

        Builder() {}

        /** Adds an engine, which may be not started. A request that names no engine means {@link #MAIN}. */
        public Builder engine(String name, Engine engine) {
            if (engines.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(engine, "engine")) != null) {
                throw new IllegalArgumentException("there are two engines '" + name + "': give each its own name");
            }
            return this;
        }

        /** Gives the users with one of these roles a level. With roles, a request without an authenticated user is refused. */
        public Builder roles(Level level, String... names) {
            roles.computeIfAbsent(level, key -> new LinkedHashSet<>()).addAll(List.of(names));
            return this;
        }

        /** Lets the users with one of these roles also see content without the mask. */
        public Builder unmaskedRoles(String... names) {
            unmaskedRoles.addAll(List.of(names));
            return this;
        }

        /** Believes the headers X-Forwarded-Host and X-Forwarded-Proto, and the user header, of proxies with these addresses, such as {@code 10.0.0.0/8}. */
        public Builder trustedProxies(String... ranges) {
            List.of(ranges).forEach(range -> trustedProxies.add(AddressRange.parse(range)));
            return this;
        }

        /** Takes the name of the user from a header of a trusted proxy. All these users have one level. */
        public Builder userHeader(String header, Level level) {
            userHeader = Objects.requireNonNull(header, "header");
            headerLevel = Objects.requireNonNull(level, "level");
            return this;
        }

        /** Lets these users sign in at the dashboard itself, which then has a form for it. Roles and a user header do not count then. */
        public Builder accounts(Accounts value) {
            accounts = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets the level in local mode. Default: operator. */
        public Builder localLevel(Level level) {
            localLevel = Objects.requireNonNull(level, "level");
            return this;
        }

        /** Accepts actions from pages of these origins too, such as {@code https://ops.example.com}: for a proxy that changes the host. */
        public Builder origins(String... more) {
            origins.addAll(List.of(more));
            return this;
        }

        /** Refuses every change. */
        public Builder readOnly(boolean value) {
            readOnly = value;
            return this;
        }

        /** Narrows what users may do, by database and queue. */
        public Builder policy(AccessPolicy value) {
            policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /** Sets the words of names whose values are masked. Default: {@link SensitiveNames#DEFAULT_WORDS}. */
        public Builder sensitiveNames(Collection<String> words) {
            sensitiveNames = new SensitiveNames(words);
            return this;
        }

        /** Also masks values at paths of the payloads of queues, such as {@code orders:$.customer.birthday}. */
        public Builder maskedPaths(Collection<String> paths) {
            maskedPaths = List.copyOf(paths);
            return this;
        }

        /** Replaces the mask of payloads and headers. Errors are masked by the sensitive names. */
        public Builder mask(PayloadMask value) {
            mask = Objects.requireNonNull(value, "mask");
            return this;
        }

        /** Sets how many connections the dashboard uses at once for each engine, 1 to 20. Default: 2. */
        public Builder connections(int value) {
            if (value < 1 || value > MAX_CONNECTIONS) {
                throw new IllegalArgumentException(
                        "the connections of the dashboard must be 1 to " + MAX_CONNECTIONS + ", were " + value);
            }
            connections = value;
            return this;
        }

        /**
         * Sets how long a statement of a read may take, 10 milliseconds to 60 seconds; then the database server ends it. A request may ask for up to 20 seconds instead.
         * Default: 2 seconds.
         */
        public Builder statementTimeout(Duration value) {
            if (value.toMillis() < 10 || value.toSeconds() > MAX_TIMEOUT_SECONDS) {
                throw new IllegalArgumentException("the statement timeout of the dashboard must be 10 milliseconds to "
                        + MAX_TIMEOUT_SECONDS + " seconds, was " + value);
            }
            statementTimeout = value;
            return this;
        }

        /** Sets the name of the environment, which the screens show, such as {@code production}. */
        public Builder environment(String name) {
            environment = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Builds the dashboard. It reads nothing before the first request. */
        public Dashboard build() {
            if (engines.isEmpty()) {
                throw new IllegalArgumentException("a dashboard needs at least one engine");
            }
            if (userHeader != null && trustedProxies.isEmpty()) {
                throw new IllegalArgumentException("the user header " + userHeader
                        + " needs the addresses of the proxies that send it: without them everybody could name a user");
            }
            Map<String, Database> databases = new LinkedHashMap<>();
            engines.forEach(
                    (name, engine) -> databases.put(name, new Database(name, engine, connections, statementTimeout)));
            PayloadMask payloadMask = mask != null ? mask : new JsonPayloadMask(sensitiveNames, maskedPaths);
            return new Dashboard(
                    databases,
                    new Routes(new Api(databases.values(), payloadMask, sensitiveNames, environment).routes()),
                    authentication(),
                    origins,
                    policy);
        }

        Authentication authentication() {
            Login login = accounts == null ? null : new Login(accounts, trustedProxies, System::nanoTime);
            return new Authentication(
                    roles, unmaskedRoles, trustedProxies, userHeader, headerLevel, localLevel, readOnly, login);
        }
    }
}
