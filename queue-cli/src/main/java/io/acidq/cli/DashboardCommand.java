package io.acidq.cli;

import io.acidq.cli.Acidq.ExitCode;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.dashboard.login.OneTimeCode;
import io.acidq.dashboard.login.PasswordHash;
import io.acidq.dashboard.login.UsersFile;
import io.acidq.mybatis.MyBatisStore;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that serves the dashboard of one or several databases until it is stopped. It needs no running application. */
@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        description = {
            "Serves the dashboard of one or several databases to a browser, until it is stopped.",
            "Without --users and --user-header it shows a code on the terminal, which the browser asks for.",
            "For several databases repeat --name, --url, --user and --password for each."
        })
final class DashboardCommand implements Callable<Integer> {

    private static final Pattern LISTEN = Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]+]|[\\w.-]+):(?<port>\\d{1,5})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,50}");
    private static final int SHORTEST_PASSWORD = 8;
    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.log.io.acidq.dashboard";

    /** A database. */
    static final class NamedConnection extends ConnectionOptions {

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "The name of the database, which the dashboard shows. Needed for several.")
        @Nullable
        String name;
    }

    @ArgGroup(exclusive = false, multiplicity = "0..*")
    private List<NamedConnection> connections = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The databases, as properties NAME.url, NAME.user and NAME.password, which may be @FILE. Instead of the options.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8086",
            description =
                    "Where it listens; port 0 for a free one. Another machine can reach it only with --tls or --trusted-proxy, and with"
                            + " users. Default: ${DEFAULT-VALUE}.")
    private String listen = "";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description =
                    "Who may sign in: a line NAME:LEVEL:HASH for each, with the level viewer, operator or admin. It is read again when it changes.")
    private @Nullable Path users;

    @Option(
            names = "--hash",
            description = "Only asks for a password and writes its hash, for a line of the users file.")
    private boolean hash;

    @Option(
            names = "--tls",
            paramLabel = "KEYSTORE",
            description = "Serves https with the key and the certificates of a PKCS12 or JKS file.")
    private @Nullable Path tls;

    @Option(
            names = "--tls-password",
            paramLabel = "PASSWORD",
            arity = "0..1",
            fallbackValue = ConnectionOptions.ASK,
            description =
                    "The password of the key store, or @FILE. Without a value the command asks for it. Default: ACIDQ_TLS_PASSWORD.")
    private @Nullable String tlsPassword;

    @Option(
            names = "--trusted-proxy",
            paramLabel = "ADDRESSES",
            description = "A proxy whose headers are believed, such as 10.1.0.7 or 10.1.0.0/16. Can be repeated.")
    private List<String> trustedProxies = List.of();

    @Option(
            names = "--user-header",
            paramLabel = "NAME",
            description = "The header in which the trusted proxy names the user, such as X-Forwarded-User.")
    private @Nullable String userHeader;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "The level of users of the header (default: viewer), or of the user of the code (default: operator): viewer, operator"
                            + " or admin.")
    private @Nullable Level level;

    @Option(names = "--read-only", description = "Refuses every change.")
    private boolean readOnly;

    @Option(names = "--open", description = "Opens the dashboard in the browser of this machine.")
    private boolean open;

    /** {@link Acidq} reads this option before picocli parses the command line; the field declares it. */
    @Option(names = "--verbose", description = "Writes the log, and the stack trace of an error.")
    @SuppressWarnings("UnusedVariable")
    private boolean verbose;

    private final List<ConnectionPool> pools = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls the command
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (hash) {
            out.println(askForHash());
            out.flush();
            return ExitCode.OK;
        }
        System.getProperties().putIfAbsent(LOG_LEVEL, "info"); // who signs in, and what is refused
        InetSocketAddress address = address();
        checkAccess(address.getAddress());
        SSLContext encryption = tls == null ? null : encryption(tls);
        OneTimeCode code = usesCode() ? code() : null;
        try (Dashboard dashboard = dashboard(code);
                DashboardHttpServer server = start(dashboard, address, encryption)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, dashboard), "acidq-stop"));
            String url = (encryption == null ? "http" : "https") + "://" + host(address.getAddress()) + ":"
                    + server.address().getPort() + "/";
            out.println("The dashboard is at " + url);
            out.flush();
            if (code != null) {
                code.prepare();
            }
            if (open) {
                openBrowser(url);
            }
            new CountDownLatch(1).await(); // until the process is stopped
        }
        return ExitCode.OK;
    }

    private boolean usesCode() {
        return users == null && userHeader == null;
    }

    private static String askForHash() {
        String advice = "run acidq dashboard --hash in a terminal";
        String typed = PasswordPrompt.read(PasswordPrompt.PROMPT, advice);
        if (typed.length() < SHORTEST_PASSWORD) {
            throw usage("a password needs at least " + SHORTEST_PASSWORD + " characters");
        }
        if (!typed.equals(PasswordPrompt.read("The same again: ", advice))) {
            throw usage("the two passwords differ");
        }
        return PasswordHash.of(typed).toString();
    }

    private static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message);
    }

    private InetSocketAddress address() {
        Matcher matcher = LISTEN.matcher(listen);
        if (!matcher.matches() || Integer.parseInt(matcher.group("port")) > 65_535) {
            throw usage(
                    "--listen must be a host and a port, such as 127.0.0.1:8086 or [::1]:8086, was '" + listen + "'");
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByName(matcher.group("host")), Integer.parseInt(matcher.group("port")));
        } catch (UnknownHostException e) {
            throw usage("the host of --listen=" + listen + " is not known");
        }
    }

    /** Refuses combinations of options that would leave the dashboard open, or passwords unencrypted. */
    private void checkAccess(InetAddress address) {
        if (users != null && userHeader != null) {
            throw usage(
                    "--users and --user-header are given, and only one of them can say who a user is: leave one out");
        }
        if (users != null && level != null) {
            throw usage("--level is given, but the users file says the level of each user: leave --level out");
        }
        if (userHeader != null && trustedProxies.isEmpty()) {
            throw usage("--user-header needs --trusted-proxy: without it everybody could name a user");
        }
        if (usesCode() && !trustedProxies.isEmpty()) {
            throw usage(
                    "--trusted-proxy is given without users: add --user-header=NAME if the proxy authenticates them, or --users=FILE");
        }
        if (tlsPassword != null && tls == null) {
            throw usage("--tls-password is given without --tls=KEYSTORE");
        }
        if (address.isLoopbackAddress()) {
            return;
        }
        if (usesCode()) {
            throw usage(
                    "other machines can reach --listen=" + listen
                            + ": give --users=FILE, or --trusted-proxy=ADDRESSES with --user-header=NAME; or listen on 127.0.0.1");
        }
        if (tls == null && trustedProxies.isEmpty()) {
            throw usage(
                    "other machines can reach --listen=" + listen
                            + ", and passwords would travel unencrypted: give --tls=KEYSTORE, or --trusted-proxy=ADDRESSES for a proxy that encrypts");
        }
    }

    private OneTimeCode code() {
        if (!PasswordPrompt.tell("The dashboard asks in the browser for the code that is shown here.")) {
            throw usage(
                    "there is no terminal here to show a code on: give --users=FILE (acidq dashboard --hash makes its hashes),"
                            + " or --trusted-proxy=ADDRESSES with --user-header=NAME");
        }
        User user = User.of(System.getProperty("user.name", "local"), level == null ? Level.OPERATOR : level);
        return new OneTimeCode(user, text -> PasswordPrompt.tell("Code: " + text + "  (once, within 10 minutes)"));
    }

    private Dashboard dashboard(@Nullable OneTimeCode code) {
        Dashboard.Builder builder = Dashboard.builder().readOnly(readOnly);
        databases().forEach((name, database) -> {
            ConnectionPool pool = database.pool();
            pools.add(pool);
            builder.engine(name, DatabaseCommand.engine(MyBatisStore.over(pool)));
        });
        try {
            builder.trustedProxies(trustedProxies.toArray(String[]::new));
        } catch (IllegalArgumentException e) {
            throw usage("--trusted-proxy: " + e.getMessage());
        }
        if (code != null) {
            builder.accounts(code);
        } else if (userHeader != null) {
            builder.userHeader(userHeader, level == null ? Level.VIEWER : level);
        } else if (users != null) {
            builder.accounts(accounts(users));
        }
        return builder.build();
    }

    private static UsersFile accounts(Path file) {
        try {
            return UsersFile.read(file);
        } catch (IOException e) {
            throw usage("cannot read the users file " + file);
        } catch (IllegalArgumentException e) {
            throw usage("users file " + file + ": " + e.getMessage());
        }
    }

    /** Returns the databases by name. */
    private Map<String, ConnectionOptions> databases() {
        if (config != null && !connections.isEmpty()) {
            throw usage("--config and options of a database are given: leave one out");
        }
        List<NamedConnection> all = config == null ? connections : read(config);
        if (all.isEmpty()) {
            all = List.of(new NamedConnection()); // of the environment
        }
        Map<String, ConnectionOptions> databases = new LinkedHashMap<>();
        for (NamedConnection each : all) {
            each.completeFromEnvironment();
            if (each.name == null && all.size() > 1) {
                throw usage("there are " + all.size() + " databases: give each a --name");
            }
            String name = each.name == null ? Dashboard.MAIN : each.name;
            if (!NAME.matcher(name).matches()) {
                throw usage("the name of a database has 1 to 50 letters, digits, '.', '_' or '-', was '" + name + "'");
            }
            if (databases.put(name, each) != null) {
                throw usage("two databases have the name '" + name + "'");
            }
        }
        return databases;
    }

    private static List<NamedConnection> read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException e) {
            throw usage("cannot read the file of --config: " + file);
        }
        Map<String, NamedConnection> byName = new LinkedHashMap<>();
        for (String property : new TreeSet<>(properties.stringPropertyNames())) {
            int dot = property.lastIndexOf('.');
            NamedConnection connection =
                    byName.computeIfAbsent(property.substring(0, Math.max(dot, 0)), name -> new NamedConnection());
            String value = properties.getProperty(property).strip();
            switch (property.substring(dot + 1)) {
                case "url" -> connection.url = value;
                case "user" -> connection.user = value;
                case "password" -> connection.password = value;
                default -> throw usage(file + ": '" + property + "' is none of NAME.url, NAME.user and NAME.password");
            }
        }
        byName.forEach((name, connection) -> connection.name = name);
        if (byName.isEmpty()) {
            throw usage(file + " names no database: add NAME.url, NAME.user and NAME.password");
        }
        return List.copyOf(byName.values());
    }

    private SSLContext encryption(Path file) {
        String typed = ConnectionOptions.resolve(tlsPassword, "ACIDQ_TLS_PASSWORD", "--tls-password");
        char[] password = typed == null ? new char[0] : typed.toCharArray();
        try {
            KeyStore keys = KeyStore.getInstance(new File(file.toString()), password);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw usage("cannot use the key store " + file + ": " + e.getMessage()
                    + "; its password is that of --tls-password or ACIDQ_TLS_PASSWORD");
        }
    }

    /** Bulk actions end after their current transactions. */
    private void stop(DashboardHttpServer server, Dashboard dashboard) {
        server.close();
        dashboard.close();
        pools.forEach(ConnectionPool::close);
    }

    private DashboardHttpServer start(Dashboard dashboard, InetSocketAddress address, @Nullable SSLContext encryption) {
        try {
            return DashboardHttpServer.start(dashboard, address, "", encryption, null, (user, role) -> false);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.REFUSED,
                    "cannot listen on " + listen + ": " + e.getMessage() + "; give another --listen=HOST:PORT",
                    e);
        }
    }

    private static String host(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return "localhost";
        }
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private static void openBrowser(String url) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        List<String> command = system.contains("mac")
                ? List.of("open", url)
                : system.contains("windows")
                        ? List.of("rundll32", "url.dll,FileProtocolHandler", url)
                        : List.of("xdg-open", url);
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // the address is on the terminal
        }
    }
}
