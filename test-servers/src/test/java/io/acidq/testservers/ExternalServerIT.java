package io.acidq.testservers;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExternalServerIT {
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void takesAServerOfItsKind(ServerKind kind) {
        TestServer server = TestServers.get(kind);

        assertThatCode(() -> ExternalServer.verify(given(kind, server, server.username(), server.password())))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void refusesAServerThatDoesNotAnswer(ServerKind kind) {
        String url = kind.scheme() + "//127.0.0.1:1/";
        TestServer silent = new TestServer(kind, ExternalServer.template(kind, url), "root", "");

        assertRefused(kind, () -> ExternalServer.verify(silent), url, "as root");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void refusesAServerOfTheOtherKind(ServerKind kind) {
        TestServer other = TestServers.get(kind == ServerKind.MYSQL ? ServerKind.MARIADB : ServerKind.MYSQL);
        TestServer wrong = given(kind, other, other.username(), other.password());

        assertRefused(kind, () -> ExternalServer.verify(wrong), "it is not " + kind.displayName() + " but version");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void refusesAUserWithoutPrivilegeToCreateDatabases(ServerKind kind) {
        TestServer server = TestServers.get(kind);
        String user = TestDatabase.freshName();
        // Two accounts, because an anonymous user at localhost takes precedence over '%'.
        server.execute(
                "CREATE USER " + user + "@'%' IDENTIFIED BY 'Secret-1234'",
                "CREATE USER " + user + "@localhost IDENTIFIED BY 'Secret-1234'");
        try {
            TestServer weak = given(kind, server, user, "Secret-1234");

            assertRefused(kind, () -> ExternalServer.verify(weak), "as " + user, "to database", "create databases");
        } finally {
            server.execute("DROP USER " + user + "@'%', " + user + "@localhost");
        }
    }

    private static void assertRefused(ServerKind kind, ThrowingCallable verification, String... words) {
        assertThatThrownBy(verification)
                .isInstanceOf(TestServerException.class)
                .hasMessageStartingWith("ACIDQ_TEST_" + kind.name() + "_URL")
                .hasMessageContainingAll(words);
    }

    /** Returns the server as the environment variable of this kind would name it. */
    private static TestServer given(ServerKind kind, TestServer server, String user, String password) {
        var address = server.address();
        String url = kind.scheme() + "//" + address.getHostString() + ":" + address.getPort() + "/";
        return new TestServer(kind, ExternalServer.template(kind, url), user, password);
    }
}
