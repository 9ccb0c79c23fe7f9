package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.route.RequestException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a user is: in local mode, by role, and by the header of a proxy. */
class AuthenticationTest {

    private final Authentication local = Dashboard.builder().authentication();

    private static TestRequest request() {
        return TestRequest.get("api/v1/session", Map.of());
    }

    private static void assertForbidden(Authentication authentication, TestRequest request, String why) {
        assertThatThrownBy(() -> authentication.authenticate(request.build()))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(403))
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost",
        "127.0.0.1, localhost:8086",
        "127.1.2.3, 127.0.0.1:8086",
        "::1, [::1]:8086",
        "0:0:0:0:0:0:0:1, LOCALHOST",
        "::ffff:127.0.0.1, localhost"
    })
    void localModeAnswersThisMachine(String address, String host) {
        User user =
                local.authenticate(request().from(address).header("host", host).build());

        assertThat(user).isEqualTo(User.of("local", Level.OPERATOR));
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "10.0.0.1", "2001:db8::1", "0.0.0.0", "localhost", ""})
    void localModeRefusesAnotherAddress(String address) {
        assertForbidden(local, request().from(address), "it comes from " + address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "evil.example:8086",
                "127.0.0.1.evil.example",
                "[::2]",
                "",
                "localhost:80:80"
            })
    void localModeRefusesAnotherHostWhichDnsMayHaveRebound(String host) {
        assertForbidden(local, request().header("host", host), "its host is");
    }

    @Test
    void localModeRefusesARequestWithoutOneHost() {
        assertForbidden(local, request().without("host"), "its host is 'null'");
        assertForbidden(local, request().header("host", "localhost", "localhost"), "its host is ''");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "forwarded",
                "x-forwarded-for",
                "x-forwarded-host",
                "x-forwarded-proto",
                "x-forwarded-prefix",
                "x-real-ip",
                "via"
            })
    void localModeRefusesWhatAProxyHasPassedOn(String header) {
        assertForbidden(local, request().header(header, "127.0.0.1"), "it has the header " + header);
    }

    /** nginx sends the address of the dashboard as the host, no header that it adds, and HTTP/1.0, unless it is told otherwise. */
    @ParameterizedTest
    @CsvSource({
        "origin, https://shop.example.com",
        "origin, null",
        "referer, https://shop.example.com/acidq/queues",
        "referer, http://localhost.evil.example/",
        "referer, http://localhost@evil.example/"
    })
    void localModeRefusesARequestOfAPageFromAnotherHost(String header, String page) {
        TestRequest request = TestRequest.post("api/v1/queue/pause", Map.of()).header(header, page);

        assertForbidden(local, request, "its " + header + " is '" + page + "'");
        local.authenticate(
                TestRequest.get("queues", Map.of()).header(header, page).build());
    }

    @Test
    void localModeAnswersThePagesOfThisMachine() {
        local.authenticate(TestRequest.post("api/v1/queue/pause", Map.of())
                .header("origin", "http://127.0.0.1:9000")
                .header("referer", "http://LOCALHOST:8086/acidq/queues?q=a")
                .build());
    }

    @Test
    void localModeRefusesTheProtocolThatProxiesSpeakByDefault() {
        assertForbidden(local, request().protocol("HTTP/1.0"), "its protocol is HTTP/1.0");
    }

    @Test
    void theHighestRoleDecides() {
        Authentication byRole = Dashboard.builder()
                .roles(Level.VIEWER, "staff")
                .roles(Level.ADMIN, "ops", "root")
                .unmaskedRoles("privacy")
                .authentication();

        assertThat(byRole.authenticate(request().as("ann", "staff").build())).isEqualTo(User.of("ann", Level.VIEWER));
        assertThat(byRole.authenticate(request().as("bob", "staff", "root").build()))
                .isEqualTo(User.of("bob", Level.ADMIN));
        assertThat(byRole.authenticate(request().as("cleo", "staff", "privacy").build())
                        .permissions())
                .containsExactlyInAnyOrder(Permission.VIEW, Permission.UNMASKED);
        assertForbidden(byRole, request().as("eve", "privacy"), "none of the roles");
    }

    @Test
    void withRolesTheAddressDoesNotMatter() {
        Authentication byRole = Dashboard.builder().roles(Level.VIEWER, "staff").authentication();

        assertThat(byRole.authenticate(
                                request().from("192.0.2.1").as("ann", "staff").build())
                        .name())
                .isEqualTo("ann");
        assertThatThrownBy(() -> byRole.authenticate(request().build()))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(401));
    }

    @Test
    void aUserHeaderIsBelievedFromATrustedProxyOnly() {
        Authentication byHeader = Dashboard.builder()
                .trustedProxies("10.1.0.0/16", "fd00::/8")
                .userHeader("X-Forwarded-User", Level.OPERATOR)
                .authentication();
        TestRequest named = request().header("x-forwarded-user", "ann");

        assertThat(byHeader.authenticate(named.from("10.1.255.7").build())).isEqualTo(User.of("ann", Level.OPERATOR));
        assertThat(byHeader.authenticate(named.from("fd12::7").build()).name()).isEqualTo("ann");
        assertForbidden(byHeader, named.from("10.2.0.1"), "none of the trusted proxies");
        assertForbidden(byHeader, named.from("127.0.0.1"), "none of the trusted proxies");
        for (TestRequest unnamed : List.of(
                request().from("10.1.0.1"),
                request().from("10.1.0.1").header("x-forwarded-user", " "),
                request().from("10.1.0.1").header("x-forwarded-user", "ann", "root"))) {
            assertThatThrownBy(() -> byHeader.authenticate(unnamed.build()))
                    .isInstanceOfSatisfying(
                            RequestException.class, e -> assertThat(e.status()).isEqualTo(401));
        }
    }

    @Test
    void aUserHeaderNeedsTrustedProxies() {
        assertThatThrownBy(() -> Dashboard.builder()
                        .engine("main", new UnreachableDatabase().engine())
                        .userHeader("X-Forwarded-User", Level.VIEWER)
                        .build())
                .hasMessageContaining("everybody could name a user");
        assertThatThrownBy(() -> Dashboard.builder().trustedProxies("proxy.example"))
                .hasMessageContaining("not a range of addresses");
        assertThatThrownBy(() -> Dashboard.builder().trustedProxies("10.0.0.0/33"))
                .hasMessageContaining("not a range of addresses");
    }

    @Test
    void behindAProxyTheOriginThatItSeesCounts() {
        Authentication trusting = Dashboard.builder().trustedProxies("10.1.0.1").authentication();
        RequestRules rules = new RequestRules(trusting, Set.of("https://ops.example.com"));
        TestRequest request = TestRequest.post("api/v1/queue/pause", Map.of())
                .without("sec-fetch-site")
                .header("host", "backend:8080")
                .header("x-forwarded-host", "first.example, acidq.example.com")
                .header("x-forwarded-proto", "https")
                .header("origin", "https://acidq.example.com");

        rules.checkPost(request.from("10.1.0.1").build());
        assertThatThrownBy(() -> rules.checkPost(request.from("10.1.0.2").build()))
                .hasMessageContaining("https://acidq.example.com")
                .hasMessageContaining("http://backend:8080")
                .hasMessageContaining("acidq.dashboard.origins");
        rules.checkPost(request.from("10.1.0.2")
                .header("origin", "https://OPS.example.com")
                .build());
        rules.checkPost(request.header("host", "acidq.example.com:443")
                .secure()
                .header("origin", "https://acidq.example.com")
                .build());
    }
}
