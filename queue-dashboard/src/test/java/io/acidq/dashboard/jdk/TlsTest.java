package io.acidq.dashboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.TestDataSource;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.SQLNonTransientConnectionException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of the JDK with a certificate. */
class TlsTest {

    private static final String PASSWORD = "changeit";

    @Test
    void theOriginOfAnEncryptedDashboardIsHttps(@TempDir Path folder) throws Exception {
        TestDataSource away = () -> {
            throw new SQLNonTransientConnectionException("nobody answers", "08001");
        };
        Dashboard dashboard = Dashboard.builder()
                .engine(Dashboard.MAIN, Engine.builder(MyBatisStore.over(away)).build())
                .build();
        SSLContext tls = certificateOfLocalhost(folder);
        try (DashboardHttpServer server = DashboardHttpServer.start(
                dashboard,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "/",
                tls,
                null,
                (user, role) -> false)) {
            String origin = "localhost:" + server.address().getPort();

            assertThat(pause(tls, origin, "https://" + origin).statusCode()).isEqualTo(503);
            assertThat(pause(tls, origin, "http://" + origin).statusCode()).isEqualTo(403);
        }
    }

    private static HttpResponse<String> pause(SSLContext tls, String host, String origin) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + host + "/api/v1/queue/pause"))
                .header("Content-Type", "application/json")
                .header("X-AcidQ", "1")
                .header("Origin", origin)
                .POST(BodyPublishers.ofString("{\"queue\": \"orders\", \"reason\": \"a test\"}"))
                .build();
        return HttpClient.newBuilder().sslContext(tls).build().send(request, BodyHandlers.ofString());
    }

    private static SSLContext certificateOfLocalhost(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "dashboard",
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
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return tls;
    }
}
