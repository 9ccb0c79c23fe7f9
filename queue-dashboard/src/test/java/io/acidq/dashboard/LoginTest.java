package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.login.Accounts;
import io.acidq.dashboard.login.OneTimeCode;
import io.acidq.dashboard.route.RequestException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who sign in at the dashboard itself, and those who try without being one. */
class LoginTest {

    private static final String RIGHT = "correct horse";

    /** Users whose password is fast to compare. */
    private static final class Employees implements Accounts {

        private Object version = new Object();

        @Override
        public boolean usesCode() {
            return false;
        }

        @Override
        public User signIn(String name, String secret) {
            return secret.equals(RIGHT) ? User.of(name, Level.OPERATOR) : null;
        }

        @Override
        public Object version() {
            return version;
        }
    }

    private final AtomicLong clock = new AtomicLong();
    private final Employees employees = new Employees();
    private final List<AddressRange> proxies = List.of(AddressRange.parse("10.1.0.0/16"));
    private final Login login = new Login(employees, proxies, clock::get);
    private final Dashboard dashboard = dashboard(employees);
    private final List<String> terminal = new ArrayList<>();
    private final Dashboard withCode = dashboard(new OneTimeCode(User.of("ann", Level.OPERATOR), terminal::add));

    private static Dashboard dashboard(Accounts accounts) {
        return Dashboard.builder()
                .engine("shop", new UnreachableDatabase().engine())
                .trustedProxies("10.1.0.0/16")
                .accounts(accounts)
                .build();
    }

    private static TestRequest request() {
        return TestRequest.get("overview", Map.of());
    }

    private static TestRequest with(String cookie) {
        return request().header("cookie", cookie);
    }

    /** Signs in and returns the cookie as the browser sends it back. */
    private String signIn(TestRequest request) {
        return login.signIn(request.build(), "ann", RIGHT).split(";")[0];
    }

    private User user(String cookie) {
        return login.user(with(cookie).build());
    }

    private static TestRequest signingIn(String name, String secret) {
        return TestRequest.post("login", Map.of("name", name, "secret", secret));
    }

    private static String text(DashboardResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static void refused(int status, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void aSessionLeadsFromTheFormToTheScreensAndEndsAtSignOut() {
        DashboardResponse first = dashboard.handle(
                TestRequest.get("queue", Map.of("queue", "a b&c")).build());
        assertThat(first.status()).isEqualTo(302);
        assertThat(first.headers()).containsEntry("Location", "login?to=queue%3Fqueue%3Da%2Bb%2526c");
        DashboardResponse form =
                dashboard.handle(TestRequest.get("login", Map.of()).build());
        assertThat(text(form)).contains("data-code=\"\"", "login.js").doesNotContain("app.js");
        assertThat(form.headers().get("Content-Security-Policy")).contains("default-src 'none'");
        String script = text(form).replaceAll("(?s).*src=\"(assets/[^\"]*login.js)\".*", "$1");
        assertThat(dashboard.handle(TestRequest.get(script, Map.of()).build()).status())
                .isEqualTo(200);
        assertThat(dashboard
                        .handle(TestRequest.get("api/v1/session", Map.of()).build())
                        .status())
                .isEqualTo(401);

        DashboardResponse signedIn = dashboard.handle(signingIn("ann", RIGHT).build());
        assertThat(signedIn.status()).isEqualTo(200);
        String cookie = signedIn.headers().get("Set-Cookie");
        assertThat(cookie).matches("acidq-session-8086=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict");
        String sent = cookie.split(";")[0];
        assertThat(text(dashboard.handle(TestRequest.get("api/v1/session", Map.of())
                        .header("cookie", "other=1; " + sent)
                        .build())))
                .contains("\"name\":\"ann\"", "OPERATE");
        assertThat(text(dashboard.handle(with(sent).build()))).contains("data-sign-out=\"yes\"");
        assertThat(dashboard
                        .handle(TestRequest.get("login", Map.of())
                                .header("cookie", sent)
                                .build())
                        .headers())
                .containsEntry("Location", "overview");

        DashboardResponse out = dashboard.handle(
                TestRequest.post("logout", Map.of()).header("cookie", sent).build());
        assertThat(out.headers().get("Set-Cookie")).contains("acidq-session-8086=;", "Max-Age=0");
        assertThat(dashboard.handle(with(sent).build()).status()).isEqualTo(302);
    }

    @Test
    void anotherSiteCanNeitherSignInNorOut() {
        for (TestRequest foreign : Stream.of("login", "logout")
                .flatMap(path -> Stream.of(
                        TestRequest.post(path, Map.of("name", "eve", "secret", RIGHT))
                                .without("x-acidq"),
                        TestRequest.post(path, Map.of("name", "eve", "secret", RIGHT))
                                .header("sec-fetch-site", "cross-site")))
                .toList()) {
            DashboardResponse response = dashboard.handle(foreign.build());
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.headers()).doesNotContainKey("Set-Cookie");
        }
        assertThat(dashboard.handle(TestRequest.get("logout", Map.of()).build()).status())
                .isEqualTo(405);
    }

    /** Session fixation: an id that somebody else has put into the browser never becomes one of a user. */
    @Test
    void aSessionAlwaysHasANewId() {
        String planted = "acidq-session-8086=" + "A".repeat(43);
        assertThat(signIn(with(planted))).isNotEqualTo(planted);
        assertThat(user(planted)).isNull();

        String first = signIn(request());
        String second = signIn(with(first));
        assertThat(user(first)).as("ended by the next").isNull();
        assertThat(user(second)).isEqualTo(User.of("ann", Level.OPERATOR));
        assertThat(user(second + "; " + first))
                .as("which of them a page has added is not known")
                .isNull();
    }

    @Test
    void aSessionEndsWithoutRequestsAndAfterEightHours() {
        String cookie = signIn(request());
        for (int i = 0; i < 16; i++) {
            clock.addAndGet(Duration.ofMinutes(30).toNanos());
            assertThat(user(cookie)).isNotNull();
        }
        clock.addAndGet(1);
        assertThat(user(cookie)).as("after 8 hours").isNull();

        String idle = signIn(request());
        clock.addAndGet(Duration.ofMinutes(30).toNanos() + 1);
        assertThat(user(idle)).isNull();
    }

    @Test
    void aChangeOfTheAccountsEndsAllSessions() {
        String cookie = signIn(request());
        employees.version = new Object();

        assertThat(user(cookie)).isNull();
        assertThat(user(signIn(request()))).isNotNull();
    }

    @Test
    void fiveFailuresAMinuteAreAllowedForANameFromAnAddress() {
        for (int i = 0; i < 5; i++) {
            refused(401, () -> login.signIn(request().build(), "ann", "wrong"));
        }
        refused(429, () -> login.signIn(request().build(), "ann", RIGHT));
        login.signIn(request().from("127.0.0.2").build(), "ann", RIGHT);
        login.signIn(request().build(), "bob", RIGHT);

        clock.addAndGet(Duration.ofMinutes(1).toNanos() + 1);
        login.signIn(request().build(), "ann", RIGHT);
    }

    @Test
    void anAddressCannotTryOneNameAfterTheOther() {
        for (int i = 0; i < 20; i++) {
            String name = "user " + i;
            refused(401, () -> login.signIn(request().build(), name, "wrong"));
        }
        refused(429, () -> login.signIn(request().build(), "ann", RIGHT));
    }

    @Test
    void aHeaderChangesTheAddressOnlyForATrustedProxy() {
        for (int i = 0; i < 5; i++) {
            String forged = "192.0.2." + i;
            refused(
                    401,
                    () -> login.signIn(
                            request().header("x-forwarded-for", forged).build(), "ann", "wrong"));
            refused(
                    401,
                    () -> login.signIn(
                            request()
                                    .from("10.1.0.1")
                                    .header("x-forwarded-for", forged + ", 198.51.100.7")
                                    .build(),
                            "ann",
                            "wrong"));
        }
        refused(
                429,
                () -> login.signIn(
                        request().header("x-forwarded-for", "192.0.2.9").build(), "ann", RIGHT));
        refused(
                429,
                () -> login.signIn(
                        request()
                                .from("10.1.0.2")
                                .header("x-forwarded-for", "198.51.100.7")
                                .build(),
                        "ann",
                        RIGHT));
        login.signIn(
                request()
                        .from("10.1.0.1")
                        .header("x-forwarded-for", "198.51.100.8")
                        .build(),
                "ann",
                RIGHT);
    }

    @Test
    void aPasswordOfAnotherMachineIsAskedForOverHttpsOnly() {
        DashboardResponse plain = dashboard.handle(
                TestRequest.get("login", Map.of()).from("192.0.2.1").build());
        assertThat(plain.status()).isEqualTo(403);
        assertThat(text(plain)).contains("192.0.2.1 over plain http");
        assertThat(dashboard
                        .handle(signingIn("ann", RIGHT).from("192.0.2.1").build())
                        .headers())
                .doesNotContainKey("Set-Cookie");

        DashboardResponse secure = dashboard.handle(
                signingIn("ann", RIGHT).from("192.0.2.1").secure().build());
        assertThat(secure.headers().get("Set-Cookie"))
                .matches("__Host-acidq-session-8086=[\\w-]+; Path=/; HttpOnly; SameSite=Strict; Secure");
        DashboardResponse proxied = dashboard.handle(signingIn("ann", RIGHT)
                .from("10.1.0.1")
                .header("x-forwarded-proto", "https")
                .build());
        assertThat(proxied.headers().get("Set-Cookie")).startsWith("__Host-").endsWith("; Secure");
    }

    @Test
    void theFormShowsACodeOnTheTerminalForThisMachineOnly() {
        DashboardResponse form =
                withCode.handle(TestRequest.get("login", Map.of()).build());
        assertThat(text(form)).contains("data-code=\"yes\"");
        assertThat(terminal).hasSize(1);
        TestRequest typed = TestRequest.post("login", Map.of("secret", terminal.get(0)));

        for (String header : List.of("x-forwarded-for", "forwarded", "via", "x-real-ip")) {
            assertThat(withCode.handle(TestRequest.post("login", Map.of("secret", terminal.get(0)))
                                    .header(header, "127.0.0.1")
                                    .build())
                            .status())
                    .as(header)
                    .isEqualTo(403);
        }
        assertThat(withCode.handle(TestRequest.post("login", Map.of("secret", terminal.get(0)))
                                .header("host", "evil.example:8086")
                                .build())
                        .status())
                .isEqualTo(403);
        assertThat(withCode.handle(TestRequest.post("login", Map.of("secret", terminal.get(0)))
                                .from("10.1.0.1")
                                .build())
                        .status())
                .isEqualTo(403);
        DashboardResponse signedIn = withCode.handle(typed.build());
        assertThat(signedIn.status()).isEqualTo(200);
        String sent = signedIn.headers().get("Set-Cookie").split(";")[0];
        assertThat(withCode.handle(
                                with(sent).header("host", "evil.example:8086").build())
                        .status())
                .as("also with a session")
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\": \"ann\"}",
                "{\"name\": \"ann\", \"secret\": \"s\", \"level\": \"admin\"}",
                "name=ann"
            })
    void refusesABodyOfAnotherForm(String body) {
        assertThat(dashboard.handle(signingIn("ann", RIGHT).body(body).build()).status())
                .isEqualTo(400);
        assertThat(dashboard.handle(signingIn("a".repeat(501), RIGHT).build()).status())
                .isEqualTo(400);
    }
}
