package io.acidq.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acidq.codec.Codec;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.servlet.DashboardServlet;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The servlet of the dashboard in an application with Spring Security 6.5, which registers it by hand. */
class DashboardTest {

    /** No component, so that the application of the other test does not find it. */
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Application {

        @Bean
        SecurityFilterChain pages(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/acidq/**")
                            .hasRole("OPS")
                            .requestMatchers("/error") // a refusal is shown there, without a user
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(User.withUsername("ann")
                    .password("{noop}of ann")
                    .roles("OPS")
                    .build());
        }

        @Bean
        Codec codec(ObjectMapper mapper) {
            return new Jackson2Codec(mapper);
        }

        /** Over a database that does not answer: it is about the users. */
        @Bean
        ServletRegistrationBean<DashboardServlet> dashboard(Codec codec) {
            DriverManagerDataSource nowhere = new DriverManagerDataSource("jdbc:mysql://127.0.0.1:1/nowhere");
            Dashboard dashboard = Dashboard.builder()
                    .engine(
                            Dashboard.MAIN,
                            Engine.builder(MyBatisStore.over(nowhere))
                                    .codec(codec)
                                    .build())
                    .roles(Level.OPERATOR, "OPS")
                    .build();
            return new ServletRegistrationBean<>(new DashboardServlet(dashboard), "/acidq/*");
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        String user = Base64.getEncoder().encodeToString("ann:of ann".getBytes(StandardCharsets.UTF_8));
        return client.send(request.header("Authorization", "Basic " + user).build(), BodyHandlers.ofString());
    }

    @Test
    void springSecurityKnowsTheUsersAndItsTokenReachesThePage() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0", "server.address=127.0.0.1")
                .run()) {
            String api =
                    "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/acidq/api/v1/";
            HttpRequest nobody =
                    HttpRequest.newBuilder(URI.create(api + "session")).build();
            assertThat(client.send(nobody, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);

            JsonNode session = new ObjectMapper()
                    .readTree(send(HttpRequest.newBuilder(URI.create(api + "session")))
                            .body());
            assertThat(session.at("/user/name").asText()).isEqualTo("ann");
            assertThat(session.at("/user/permissions").toString()).contains("OPERATE");

            assertThat(pause(api, Map.of()).statusCode())
                    .as("without the token")
                    .isEqualTo(403);
            HttpResponse<String> paused = pause(
                    api,
                    Map.of(
                            session.at("/csrf/header").asText(),
                            session.at("/csrf/token").asText()));
            assertThat(paused.statusCode()).as("the database is away").isEqualTo(503);
        }
    }

    private HttpResponse<String> pause(String api, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + "queue/pause"))
                .header("Content-Type", "application/json")
                .header("X-AcidQ", "1")
                .POST(BodyPublishers.ofString("{\"queue\": \"orders\", \"reason\": \"a test\"}"));
        headers.forEach(request::header);
        return send(request);
    }
}
