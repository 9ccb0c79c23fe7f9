package io.acidq.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerUrlTest {
    @ParameterizedTest
    @CsvSource({
        "MYSQL, jdbc:mysql://db:3307, jdbc:mysql://db:3307/own?sslMode=DISABLED&allowPublicKeyRetrieval=true",
        "MYSQL, jdbc:mysql://db/?, jdbc:mysql://db/own?sslMode=DISABLED&allowPublicKeyRetrieval=true",
        "MARIADB, jdbc:mariadb://db:3307/other, jdbc:mariadb://db:3307/own?sslMode=disable",
        "MYSQL, jdbc:mysql://db:3307/other?a=b&c=/d, jdbc:mysql://db:3307/own?a=b&c=/d",
        "MYSQL, jdbc:mysql://db?a=b, jdbc:mysql://db/own?a=b",
    })
    void putsTheDatabaseIntoAGivenUrlAndLeavesItOpenToFurtherParameters(ServerKind kind, String given, String url) {
        assertThat(server(ExternalServer.template(kind, given)).jdbcUrl("own")).isEqualTo(url);
    }

    @Test
    void refusesWhatIsNoUrlOfAServer() {
        assertThatThrownBy(() -> ExternalServer.template(ServerKind.MYSQL, "db:3306"))
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("ACIDQ_TEST_MYSQL_URL")
                .hasMessageContaining("jdbc:mysql://host:port/");
        assertThatThrownBy(() -> ExternalServer.template(ServerKind.MARIADB, "jdbc:mysql://db:3306/"))
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("ACIDQ_TEST_MARIADB_URL")
                .hasMessageContaining("jdbc:mariadb://host:port/");
    }

    @Test
    void knowsItsAddressAndCanBeReachedThroughAProxy() {
        TestServer server = ServerKind.MARIADB.at("db", 3307, "root", "");
        TestServer proxied = server.through(InetSocketAddress.createUnresolved("127.0.0.1", 4000));

        assertThat(server.address()).isEqualTo(InetSocketAddress.createUnresolved("db", 3307));
        assertThat(proxied.jdbcUrl("own")).isEqualTo("jdbc:mariadb://127.0.0.1:4000/own?sslMode=disable");
        assertThat(server("jdbc:mysql://db/{database}").address().getPort()).isEqualTo(3306);
    }

    private static TestServer server(String urlTemplate) {
        return new TestServer(ServerKind.MYSQL, urlTemplate, "root", "");
    }
}
