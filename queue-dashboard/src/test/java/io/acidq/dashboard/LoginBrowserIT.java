package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.dashboard.login.OneTimeCode;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page where a user signs in, in Chromium. */
@Tag("full")
class LoginBrowserIT {

    private final List<String> terminal = new ArrayList<>();

    @Test
    void aUserSignsInWithTheCodeAndOut() throws Exception {
        TestDatabase database = TestServers.get(ServerKind.MARIADB).createDatabase();
        TestDataSource dataSource = database::connect;
        Schema.create(dataSource);
        Dashboard dashboard = Dashboard.builder()
                .engine("shop", Engine.builder(MyBatisStore.over(dataSource)).build())
                .accounts(new OneTimeCode(User.of("ann", Level.OPERATOR), terminal::add))
                .build();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (DashboardHttpServer server = DashboardHttpServer.start(dashboard, address, "/ops");
                Browser browser =
                        new Browser("http://localhost:" + server.address().getPort() + "/ops/")) {
            browser.open("queues?q=ord");
            browser.awaitText("The code is on the terminal where the dashboard was started.");
            assertThat(browser.accessibilityProblems()).isEmpty();
            browser.assertNothingWrong();

            browser.type("input[name=secret]", "AAAA-AAAA");
            browser.click("Sign in");
            browser.awaitText("the code is wrong");
            browser.allowErrors("401");
            browser.script("document.querySelector('input[name=secret]').value = ''");
            browser.type("input[name=secret]", terminal.get(0));
            browser.click("Sign in");

            browser.awaitText("ann");
            assertThat(browser.driver().getCurrentUrl()).endsWith("/ops/queues?q=ord");
            browser.click("Sign out");
            browser.awaitText("Sign in");
            browser.open("overview");
            browser.awaitText("The code is on the terminal");
            assertThat(terminal).hasSize(2);
            browser.assertNothingWrong();
        }
    }
}
