package io.acidq.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Enqueued;
import io.acidq.admin.DeadLetters;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What the tutorial says of its application. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class TutorialIT {

    private final ConfigurableApplicationContext context;
    private final Shop shop;
    private final PurchaseMapper purchases;
    private final AccountMapper accounts;
    private final DeadLetters deadLetters;
    private final TransactionTemplate transactions;

    TutorialIT(ServerKind kind) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(
                TutorialApplication.class,
                database.springArguments(
                        "--shop.remind-after=3s", "--acidq.dashboard.enabled=true", "--acidq.dashboard.port=0"));
        shop = context.getBean(Shop.class);
        purchases = context.getBean(PurchaseMapper.class);
        accounts = context.getBean(AccountMapper.class);
        deadLetters = context.getBean(DeadLetters.class);
        transactions = context.getBean(TransactionTemplate.class);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void givesPointsForEachPurchase() {
        shop.buy(new Purchase("a", 1, 1250));
        shop.buy(new Purchase("b", 1, 300));

        await().untilAsserted(() -> assertThat(accounts.points()).isEqualTo(15));
        assertThat(purchases.worth()).isEqualTo(15);
    }

    // snippet:rollback
    @Test
    void leavesNothingOfAPurchaseThatWasRolledBack() {
        transactions.executeWithoutResult(open -> {
            shop.buy(new Purchase("a", 1, 1250));
            open.setRollbackOnly();
        });

        assertThat(purchases.count()).isZero();
        assertThat(messages()).isZero();
    }
    // /snippet

    // snippet:dead
    @Test
    void keepsWhatItCannotCreditAsADeadLetter() {
        shop.buy(new Purchase("wrong", 1, -500));

        await().untilAsserted(() -> assertThat(deadLetters.list(Shop.MADE, 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).contains("purchase wrong has a negative price")));
        assertThat(accounts.points()).as("rolled back with the handler").isZero();
    }
    // /snippet

    @Test
    void showsTheDeadLetterOnTheDashboard() throws Exception {
        shop.buy(new Purchase("wrong", 1, -500));
        String port = context.getEnvironment().getProperty("local.acidq.dashboard.port");
        HttpRequest overview = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/acidq/api/v1/overview"))
                .build();

        await().untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                        .send(overview, BodyHandlers.ofString())
                        .body())
                .contains("\"dead\":1"));
    }

    @Test
    void remindsOnceWhenItHasBeenQuiet() {
        transactions.executeWithoutResult(open -> {
            Enqueued first = shop.remindLater(7);
            assertThat(shop.remindLater(7).id()).isEqualTo(first.id());
        });

        await().untilAsserted(() -> assertThat(accounts.reminded()).isOne());
        await().untilAsserted(() -> assertThat(messages()).isZero());
        assertThat(accounts.reminded()).isOne();
    }

    private int messages() {
        return context.getBean(JdbcTemplate.class)
                .queryForObject(
                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)",
                        Integer.class);
    }
}
