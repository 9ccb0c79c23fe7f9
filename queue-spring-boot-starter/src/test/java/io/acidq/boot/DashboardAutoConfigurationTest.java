package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.QueueEngine;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard of an application, by its settings and beans. */
class DashboardAutoConfigurationTest {

    record Person(String birthday, String token) {}

    private static final AutoConfigurations ALL = AutoConfigurations.of(
            DataSourceAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            AcidqStoreAutoConfiguration.class,
            AcidqAutoConfiguration.class,
            AcidqDashboardAutoConfiguration.class);

    private final ApplicationContextRunner worker = new ApplicationContextRunner()
            .withConfiguration(ALL)
            .withClassLoader(new FilteredClassLoader(Servlet.class))
            .withPropertyValues("spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url());

    private final ApplicationContextRunner served =
            worker.withPropertyValues("acidq.dashboard.enabled=true", "acidq.dashboard.port=0");

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(ALL)
            .withPropertyValues("spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url());

    private static HttpResponse<String> get(ApplicationContext context, String path) {
        String port = context.getEnvironment().getProperty("local.acidq.dashboard.port");
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/acidq/api/v1/" + path))
                                    .build(),
                            BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    @Test
    void isThereOnlyIfItIsEnabled() {
        web.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
        web.withPropertyValues("acidq.dashboard.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
        web.withPropertyValues("acidq.dashboard.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(Dashboard.class));
    }

    /** As in a test slice, or with {@code acidq.enabled=false}. */
    @Test
    void isAbsentWithoutAnEngine() {
        web.withPropertyValues("acidq.dashboard.enabled=true", "acidq.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
    }

    @Test
    void namesTheModuleThatIsMissing() {
        web.withClassLoader(new FilteredClassLoader("io.acidq.dashboard"))
                .withPropertyValues("acidq.dashboard.enabled=true")
                .run(context -> assertThat(new QueueMisuseFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getAction())
                        .isEqualTo("Add the module io.acidq:queue-dashboard, or leave acidq.dashboard.enabled out."));
    }

    @Test
    void aWorkerServesItOnAPortOfItsOwn() {
        served.withPropertyValues("acidq.dashboard.environment=staging", "acidq.dashboard.read-only=true")
                .run(context -> {
                    JsonNode session = json(get(context, "session"));

                    assertThat(session.at("/environment").asString()).isEqualTo("staging");
                    assertThat(session.at("/user/name").asString()).isEqualTo("local");
                    assertThat(session.at("/user/permissions").toString()).isEqualTo("[\"VIEW\",\"CONTENT\"]");
                    assertThat(get(context, "queues").statusCode()).isEqualTo(200);
                });
    }

    @Test
    void hasAllEnginesByName() {
        DriverManagerDataSource billing = new DriverManagerDataSource(AcidqAutoConfigurationTest.h2Url());
        Schema.create(billing);
        served.withBean(
                        "billing",
                        QueueEngine.class,
                        () -> QueueEngine.over(MyBatisStore.over(billing, new JdbcTransactions(billing))))
                .run(context -> assertThat(
                                json(get(context, "session")).at("/engines").findValuesAsString("name"))
                        .containsExactly("main", "billing"));
    }

    @Test
    void asksThePolicyOfTheApplication() {
        served.withBean(AccessPolicy.class, () -> (user, permission, engine, queue) -> !"main".equals(engine))
                .run(context ->
                        assertThat(get(context, "overview").statusCode()).isEqualTo(403));
    }

    @Test
    void showsPayloadsByTheMaskOfTheApplication() {
        PayloadMask mask = (queue, type, headers, payload) ->
                new PayloadMask.Masked("text/plain", "nothing of " + queue, false, List.of(), Map.of());
        served.withBean(PayloadMask.class, () -> mask).run(context -> {
            MessageId id = new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .execute(status -> context.getBean(MessageQueue.class)
                            .enqueue("orders", "a secret")
                            .id());

            assertThat(get(context, "message/content?id=" + id).body())
                    .contains("nothing of orders")
                    .doesNotContain("secret");
        });
    }

    @Test
    void namesThePortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            served.withPropertyValues("acidq.dashboard.port=" + taken.getLocalPort())
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasStackTraceContaining("the dashboard cannot listen on 127.0.0.1:" + taken.getLocalPort())
                            .hasStackTraceContaining("set acidq.dashboard.port to a free port"));
        }
    }

    /** In local mode an address that a header names must not count. */
    @ParameterizedTest
    @CsvSource({
        "server.forward-headers-strategy=native, server.forward-headers-strategy is native",
        "server.forward-headers-strategy=FRAMEWORK, server.forward-headers-strategy is FRAMEWORK",
        "server.tomcat.remoteip.remote-ip-header=x-real-ip, server.tomcat.remoteip.remote-ip-header is x-real-ip",
        "spring.main.cloud-platform=kubernetes, it runs on KUBERNETES",
    })
    void refusesLocalModeWhereARequestCanNameItsAddress(String property, String problem) {
        WebApplicationContextRunner enabled = web.withPropertyValues("acidq.dashboard.enabled=true", property);

        enabled.run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining(problem)
                .hasStackTraceContaining("set acidq.dashboard.roles.viewer"));
        enabled.withPropertyValues("acidq.dashboard.roles.viewer=STAFF")
                .run(context -> assertThat(context).hasNotFailed());
        enabled.withPropertyValues("acidq.dashboard.port=0")
                .run(context -> assertThat(context).as("sees its peer").hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "acidq.dashboard.enabled=true, set acidq.dashboard.port",
        "acidq.dashboard.port=-1, give a port from 1 to 65535",
        "acidq.dashboard.path=acidq/, give a path with a slash at its start",
        "acidq.dashboard.path=/, give a path with a slash at its start",
        "acidq.dashboard.port=0 acidq.dashboard.roles.viewer=STAFF, a port of its own has no users of the application",
        "acidq.dashboard.port=0 acidq.dashboard.address=0.0.0.0, acidq.dashboard.address is 0.0.0.0",
        "acidq.dashboard.port=0 acidq.dashboard.user-header=X-User, everybody could name a user",
        "acidq.dashboard.port=0 acidq.dashboard.unmasked-roles=STAFF, no role may see the dashboard",
        "acidq.dashboard.port=0 acidq.dashboard.connections=21, must be 1 to 20",
        "acidq.dashboard.port=0 acidq.dashboard.trusted-proxies=proxy.example, not a range of addresses",
        "acidq.dashboard.port=0 acidq.dashboard.origins=ops.example.com, must be a scheme and a host",
    })
    void refusesWrongSettings(String properties, String message) {
        worker.withPropertyValues("acidq.dashboard.enabled=true")
                .withPropertyValues(properties.split(" "))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    @Test
    void refusesRolesTogetherWithAUserHeader() {
        web.withPropertyValues(
                        "acidq.dashboard.enabled=true",
                        "acidq.dashboard.roles.viewer=STAFF",
                        "acidq.dashboard.user-header=X-User",
                        "acidq.dashboard.trusted-proxies=10.0.0.0/8")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("only one of them can say who a user is"));
    }

    @Test
    void aPathOfTheMaskKeepsTheUsualWords() {
        assertThat(masked("acidq.dashboard.mask=orders:$.birthday"))
                .contains("\"birthday\" : \"•••\"", "\"token\" : \"•••\"");
        assertThat(masked("acidq.dashboard.mask=birthday")).contains("\"birthday\" : \"•••\"", "\"token\" : \"t\"");
    }

    private String masked(String property) {
        StringBuilder shown = new StringBuilder();
        served.withPropertyValues(property).run(context -> {
            MessageId id = new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .execute(status -> context.getBean(MessageQueue.class)
                            .enqueue("orders", new Person("b", "t"))
                            .id());
            shown.append(
                    json(get(context, "message/content?id=" + id)).at("/text").asString());
        });
        return shown.toString();
    }
}
