package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.servlet.DashboardServlet;
import io.acidq.engine.Engine;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code of the documentation page, and its table of routes. */
class DocumentedDashboardTest {

    private final Engine engine = new UnreachableDatabase().engine();

    @Test
    void theServerOfTheJdkAnswersThisMachine() throws IOException, InterruptedException {
        int port = 0;
        // snippet:jdk
        Dashboard dashboard = Dashboard.builder().engine(Dashboard.MAIN, engine).build();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        DashboardHttpServer server = DashboardHttpServer.start(dashboard, address, "/acidq");
        // /snippet
        try (server) {
            URI session = URI.create("http://localhost:" + server.address().getPort() + "/acidq/api/v1/session");
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(session).build(), BodyHandlers.ofString())
                            .body())
                    .contains("\"name\":\"local\"");
        }
    }

    @Test
    void aServletIsRegisteredWithRolesOfTheApplication() {
        StringBuilder registered = new StringBuilder();
        ServletContext servletContext = (ServletContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, arguments) -> Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {method.getReturnType()}, (p, m, mappings) -> {
                            registered.append(m.getName()).append(List.of((String[]) mappings[0]));
                            return null;
                        }));
        // snippet:servlet
        Dashboard dashboard = Dashboard.builder()
                .engine(Dashboard.MAIN, engine)
                .roles(Level.VIEWER, "STAFF")
                .roles(Level.OPERATOR, "OPS")
                .roles(Level.ADMIN, "OPS_LEAD")
                .environment("production")
                .build();
        servletContext.addServlet("acidq", new DashboardServlet(dashboard)).addMapping("/acidq/*");
        // /snippet
        assertThat(registered.toString()).isEqualTo("addMapping[/acidq/*]");
        DashboardRequest request =
                TestRequest.get("api/v1/session", Map.of()).as("ann", "OPS").build();
        assertThat(new String(dashboard.handle(request).body(), StandardCharsets.UTF_8))
                .contains("OPERATE");
    }

    @Test
    void thePageListsEveryRouteWithItsPermission() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "en", "dashboard.md"));
        for (Route route : Dashboard.builder()
                .engine(Dashboard.MAIN, engine)
                .build()
                .routes()
                .all()) {
            String row = "| %s `%s` | %s |"
                    .formatted(route.method(), route.path().substring("api/v1/".length()), route.permission());
            assertThat(page).contains(row);
        }
    }
}
