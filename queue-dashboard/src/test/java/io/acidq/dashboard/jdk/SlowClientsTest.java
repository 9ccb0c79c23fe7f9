package io.acidq.dashboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.TestDataSource;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that need no credentials to send a request slowly. */
class SlowClientsTest {

    private static final int CLIENTS = 60;
    private static final String HEADER = "POST /acidq/api/v1/queue/pause HTTP/1.1\r\nHost: localhost\r\n";

    private final TestDataSource noDatabase = () -> {
        throw new SQLNonTransientConnectionException("there is none", "08001");
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEADER,
                HEADER + "X-AcidQ: 1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
                "GET /acidq/api/v1/session HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n"
            })
    void doNotKeepOthersFromBeingAnswered(String part) throws Exception {
        Dashboard dashboard = Dashboard.builder()
                .engine(
                        Dashboard.MAIN,
                        Engine.builder(MyBatisStore.over(noDatabase)).build())
                .build();
        List<Socket> clients = new ArrayList<>();
        try (DashboardHttpServer server = DashboardHttpServer.start(
                dashboard, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "/acidq")) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(slowClient(server.address(), part));
            }
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + server.address().getPort() + "/acidq/api/v1/session"))
                    .timeout(Duration.ofSeconds(5))
                    .build();

            assertThat(HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static Socket slowClient(InetSocketAddress address, String part) throws IOException {
        Socket client = new Socket(address.getAddress(), address.getPort());
        client.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
        return client;
    }
}
