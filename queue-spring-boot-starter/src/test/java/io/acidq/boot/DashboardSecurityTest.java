package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.ForwardedHeaderFilter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard in web applications: with users of Spring Security, and without. */
class DashboardSecurityTest {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");
    private static final List<ConfigurableApplicationContext> STARTED = new ArrayList<>();

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class Security {

        // snippet:security
        @Bean
        SecurityFilterChain pages(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/acidq/**")
                            .hasAnyRole("STAFF", "OPS", "OPS_LEAD")
                            .anyRequest()
                            .authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }
        // /snippet
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(user("vic", "STAFF"), user("ann", "OPS"), user("eve", "GUESTS"));
        }

        private static org.springframework.security.core.userdetails.UserDetails user(String name, String role) {
            return User.withUsername(name)
                    .password("{noop}of " + name)
                    .roles(role)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Application {}

    /** Takes the address of the client from a header, as an application behind a proxy may do by itself. */
    @Configuration(proxyBeanMethods = false)
    static class Forwarding {

        @Bean
        ForwardedHeaderFilter forwarded() {
            return new ForwardedHeaderFilter();
        }
    }

    private static ConfigurableApplicationContext start(List<Class<?>> configuration, String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(configuration.toArray(Class[]::new))
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url(),
                        "acidq.dashboard.enabled=true")
                .properties(properties)
                .run();
        STARTED.add(context);
        return context;
    }

    @AfterAll
    static void stop() {
        STARTED.forEach(ConfigurableApplicationContext::close);
    }

    /** A browser that is signed in, or nobody. */
    private record Browser(HttpClient client, String base) {

        static Browser of(ConfigurableApplicationContext context, String portProperty) {
            return new Browser(
                    HttpClient.newBuilder().cookieHandler(new CookieManager()).build(),
                    "http://localhost:" + context.getEnvironment().getProperty(portProperty));
        }

        HttpResponse<String> send(HttpRequest.Builder request) {
            try {
                return client.send(request.build(), BodyHandlers.ofString());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        HttpResponse<String> get(String path, String... headers) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
            return send(headers.length == 0 ? request : request.headers(headers));
        }

        JsonNode session() {
            HttpResponse<String> response = get("/acidq/api/v1/session");
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return JsonMapper.shared().readTree(response.body());
        }

        HttpResponse<String> pause(Map<String, String> headers) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/acidq/api/v1/queue/pause"))
                    .header("Content-Type", "application/json")
                    .header("X-AcidQ", "1")
                    .POST(BodyPublishers.ofString("{\"queue\": \"nowhere\", \"reason\": \"a test\"}"));
            headers.forEach(request::header);
            return send(request);
        }

        Browser signIn(String name) {
            Matcher token = TOKEN.matcher(get("/login").body());
            assertThat(token.find()).isTrue();
            String form =
                    Map.of("username", name, "password", "of " + name, "_csrf", token.group(1)).entrySet().stream()
                            .map(each ->
                                    each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                            .collect(Collectors.joining("&"));
            HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(base + "/login"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(form)));
            assertThat(answer.headers().firstValue("Location").orElse("")).doesNotContain("error");
            return this;
        }
    }

    @Test
    void springSecurityKnowsTheUsersAndItsTokenReachesThePage() {
        ConfigurableApplicationContext context = start(
                List.of(Application.class, Security.class, Users.class),
                "acidq.dashboard.roles.viewer=STAFF",
                "acidq.dashboard.roles.operator=OPS");
        String port = "local.server.port";

        HttpResponse<String> nobody = Browser.of(context, port).get("/acidq/overview");
        assertThat(nobody.statusCode()).isEqualTo(302);
        assertThat(nobody.headers().firstValue("Location").orElse("")).endsWith("/login");

        Browser ann = Browser.of(context, port).signIn("ann");
        JsonNode session = ann.session();
        assertThat(session.at("/user/name").asString()).isEqualTo("ann");
        assertThat(session.at("/user/permissions").toString())
                .contains("OPERATE")
                .doesNotContain("DESTROY");
        String header = session.at("/csrf/header").asString();
        assertThat(ann.pause(Map.of()).statusCode()).as("without the token").isEqualTo(403);
        assertThat(ann.pause(Map.of(header, "guessed")).statusCode()).isEqualTo(403);
        HttpResponse<String> paused =
                ann.pause(Map.of(header, session.at("/csrf/token").asString()));
        assertThat(paused.body()).as("the dashboard has it").contains("nowhere");
        assertThat(paused.statusCode()).isNotEqualTo(403);

        Browser vic = Browser.of(context, port).signIn("vic");
        assertThat(vic.pause(Map.of(header, vic.session().at("/csrf/token").asString()))
                        .body())
                .contains("user 'vic' lacks the permission OPERATE");

        assertThat(Browser.of(context, port)
                        .signIn("eve")
                        .get("/acidq/api/v1/session")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void withoutRolesARequestThatAProxyHasPassedOnIsRefusedAndTheManagementPortDoesNotHaveIt() {
        ConfigurableApplicationContext context = start(
                List.of(Application.class, Forwarding.class),
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "management.endpoints.web.exposure.include=*");
        Browser browser = Browser.of(context, "local.server.port");

        assertThat(browser.session().at("/user/name").asString()).isEqualTo("local");
        assertThat(browser.get("/acidq").headers().firstValue("Location")).contains("acidq/");
        HttpResponse<String> forged = browser.get("/acidq/api/v1/session", "X-Forwarded-For", "127.0.0.1");
        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(forged.body()).contains("it has the header x-forwarded-for");

        Browser management = Browser.of(context, "local.management.port");
        assertThat(management.get("/actuator/health").statusCode()).isNotEqualTo(404);
        assertThat(management.get("/acidq/overview").statusCode()).isEqualTo(404);
        assertThat(management.get("/actuator").body()).doesNotContain("dashboard");
    }
}
