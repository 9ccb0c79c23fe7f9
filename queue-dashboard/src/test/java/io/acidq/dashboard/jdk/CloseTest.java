package io.acidq.dashboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.TestDataSource;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The end of the server of the JDK. */
class CloseTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private final TestDataSource slow = () -> {
        asked.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new SQLNonTransientConnectionException("interrupted", "08001", e);
        }
        throw new SQLNonTransientConnectionException("nobody answers", "08001");
    };

    @Test
    void anAnswerThatIsBeingMadeIsSentAndANewRequestIsRefused() throws Exception {
        Dashboard dashboard = Dashboard.builder()
                .engine(Dashboard.MAIN, Engine.builder(MyBatisStore.over(slow)).build())
                .build();
        DashboardHttpServer server = DashboardHttpServer.start(
                dashboard, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "/acidq");
        String api = "http://localhost:" + server.address().getPort() + "/acidq/api/v1/";
        CompletableFuture<HttpResponse<String>> running = client.sendAsync(
                HttpRequest.newBuilder(URI.create(api + "queues")).build(), BodyHandlers.ofString());
        asked.await();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
        HttpRequest session =
                HttpRequest.newBuilder(URI.create(api + "session")).build();
        await().until(() -> client.send(session, BodyHandlers.discarding()).statusCode() == 503);
        assertThat(closing).isNotDone();
        released.countDown();

        assertThat(running.join().body()).contains("\"exitCode\":3");
        closing.join();
        server.close();
    }
}
