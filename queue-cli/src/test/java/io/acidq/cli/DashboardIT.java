package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.dashboard.login.PasswordHash;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of the command line, in a process of its own. */
class DashboardIT {

    private static final String PASSWORD = "correct horse";
    private static final String NOWHERE = "jdbc:mysql://127.0.0.1:1/d";
    private static final Pattern ADDRESS = Pattern.compile("The dashboard is at (https?)://localhost:(\\d+)/");
    private static final Pattern CODE = Pattern.compile("Code: ([A-Z2-9]{4}-[A-Z2-9]{4})");

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    private HttpClient client = HttpClient.newHttpClient();
    private String base;

    @AfterEach
    void kill() {
        processes.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    private static List<String> java(String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Acidq.class.getName(),
                "dashboard"));
        command.addAll(List.of(options));
        return command;
    }

    private Process start(Path output, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        processes.add(process);
        return process;
    }

    /** Starts a command on a pseudo terminal, whose text is in the file. */
    private Process onTerminal(Path terminal, List<String> command) throws IOException {
        String line =
                String.join(" ", command.stream().map(each -> "'" + each + "'").toList());
        Process process = new ProcessBuilder("/usr/bin/script", "-qefc", line, terminal.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        processes.add(process);
        return process;
    }

    private Matcher awaitText(Path file, Pattern text) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.exists(file)
                        && text.matcher(Files.readString(file)).find());
        try {
            Matcher matcher = text.matcher(Files.readString(file));
            assertThat(matcher.find()).isTrue();
            return matcher;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitAddress(Path output) {
        Matcher address = awaitText(output, ADDRESS);
        base = address.group(1) + "://localhost:" + address.group(2) + "/";
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private HttpResponse<String> signIn(String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(base + "login"))
                .header("Content-Type", "application/json")
                .header("X-AcidQ", "1")
                .POST(BodyPublishers.ofString(body)));
    }

    private static String cookie(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.headers().firstValue("Set-Cookie").orElse("");
    }

    /** Also that a database that is away does not prevent the start. */
    @Test
    void servesSeveralDatabasesToUsersOverHttpsAndStopsWhenItIsTold() throws Exception {
        Path keys = folder.resolve("keys.p12");
        createKeys(keys);
        Path users = Files.writeString(
                folder.resolve("users"), "# who may sign in\nann:operator:" + PasswordHash.of(PASSWORD) + "\n");
        Path config = folder.resolve("databases.properties");
        Path password = folder.resolve("password");
        StringBuilder properties = new StringBuilder();
        Map<ServerKind, TestDatabase> databases = new EnumMap<>(ServerKind.class);
        for (ServerKind kind : ServerKind.values()) {
            TestDatabase database = TestServers.get(kind).createDatabase();
            databases.put(kind, database);
            Schema.create(new DirectDataSource(database.jdbcUrl(), database.username(), database.password()));
            Files.writeString(password, database.password());
            String name = kind.name();
            properties
                    .append(name + ".url=" + database.jdbcUrl() + "\n")
                    .append(name + ".user=" + database.username() + "\n")
                    .append(name + ".password=@" + password + "\n");
        }
        Files.writeString(config, properties + "away.url=" + NOWHERE + "\n");
        Path output = folder.resolve("output");

        Process process = start(
                output,
                java(
                        "--config=" + config,
                        "--users=" + users,
                        "--listen=0.0.0.0:0",
                        "--tls=" + keys,
                        "--tls-password=" + PASSWORD));
        awaitAddress(output);

        assertThat(base).startsWith("https:");
        String cookie = cookie(signIn("{\"name\": \"ann\", \"secret\": \"" + PASSWORD + "\"}"));
        assertThat(cookie).startsWith("__Host-acidq-session-").endsWith("; Path=/; HttpOnly; SameSite=Strict; Secure");
        String session = cookie.split(";")[0];
        assertThat(get("api/v1/session", "Cookie", session).body())
                .contains("\"name\":\"ann\"", "\"name\":\"MYSQL\"", "\"name\":\"MARIADB\"", "\"name\":\"away\"");
        for (ServerKind kind : ServerKind.values()) {
            HttpResponse<String> queues = get("api/v1/queues?engine=" + kind, "Cookie", session);
            assertThat(queues.statusCode()).as(queues.body()).isEqualTo(200);
            assertThatRequestsShareConnections(databases.get(kind), kind, session);
        }
        HttpResponse<String> away = get("api/v1/queues?engine=away", "Cookie", session);
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(away.body()).contains("\"state\":\"DOWN\"").doesNotContain("request timed out");

        process.destroy(); // SIGTERM
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Each request reads the database, on a connection that an earlier one has opened. */
    private void assertThatRequestsShareConnections(TestDatabase database, ServerKind kind, String session)
            throws Exception {
        try (Connection connection = database.connect()) {
            Set<Long> before = otherConnections(connection);
            assertThat(before).isNotEmpty().hasSizeLessThanOrEqualTo(8);
            for (int i = 0; i < 20; i++) {
                assertThat(get("api/v1/audit?limit=" + (i + 1) + "&engine=" + kind, "Cookie", session)
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(otherConnections(connection))
                    .containsAnyElementsOf(before)
                    .hasSizeLessThanOrEqualTo(8);
        }
    }

    private static Set<Long> otherConnections(Connection connection) throws SQLException {
        Set<Long> ids = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM information_schema.processlist"
                        + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void theCodeOfTheTerminalOpensItOnce() throws Exception {
        Path terminal = folder.resolve("terminal");
        onTerminal(terminal, java("--url=" + NOWHERE, "--listen=127.0.0.1:0"));
        awaitAddress(terminal);
        String code = awaitText(terminal, CODE).group(1);

        assertThat(get("overview").headers().firstValue("Location")).contains("login?to=overview");
        assertThat(get("api/v1/session").statusCode()).isEqualTo(401);
        assertThat(get("login", "X-Forwarded-For", "127.0.0.1").statusCode()).isEqualTo(403);
        String session = cookie(signIn("{\"secret\": \"" + code.toLowerCase(java.util.Locale.ROOT) + "\"}"))
                .split(";")[0];
        assertThat(get("api/v1/session", "Cookie", session).body())
                .contains("\"name\":\"" + System.getProperty("user.name") + "\"", "OPERATE");

        HttpResponse<String> again = signIn("{\"secret\": \"" + code + "\"}");
        assertThat(again.statusCode()).isEqualTo(401);
        assertThat(again.body()).contains("the code is wrong, was used");
        assertThat(get("login").statusCode()).isEqualTo(200);
        await("a new code")
                .until(() -> CODE.matcher(Files.readString(terminal)).results().count() == 2);
    }

    @Test
    void isRefusedWithoutATerminalForTheCode() throws Exception {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(List.of("/usr/bin/setsid", "--wait"));
        command.addAll(java("--url=" + NOWHERE, "--listen=127.0.0.1:0"));
        Process process = start(output, command);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(output))
                .contains("there is no terminal here to show a code on: give --users=FILE", "--hash", "--user-header")
                .hasLineCount(1);
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void makesTheHashOfAPasswordThatIsTypedTwice() throws Exception {
        Path terminal = folder.resolve("terminal");
        Process process = onTerminal(terminal, java("--hash"));
        awaitText(terminal, Pattern.compile("Password: "));
        process.getOutputStream().write((PASSWORD + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
        awaitText(terminal, Pattern.compile("The same again: "));
        process.getOutputStream().write((PASSWORD + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(terminal)).isZero();
        assertThat(Files.readString(terminal))
                .doesNotContain(PASSWORD)
                .containsPattern("pbkdf2-sha256:600000:[\\w-]{22}:[\\w-]{43}");
    }

    /** Makes a key with its certificate, and a client that trusts it. */
    private void createKeys(Path file) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trusted.getTrustManagers(), null);
        client = HttpClient.newBuilder().sslContext(tls).build();
    }
}
