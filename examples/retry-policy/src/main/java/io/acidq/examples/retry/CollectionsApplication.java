package io.acidq.examples.retry;

import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.devdb.DevDatabase;
import io.acidq.examples.retry.Bank.Answer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Collects from accounts that fail in different ways, and replays the one that became a dead letter. */
@SpringBootApplication(proxyBeanMethods = false)
public class CollectionsApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(CollectionsApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            Bank bank = context.getBean(Bank.class);
            Collecting collecting = context.getBean(Collecting.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            bank.willAnswer("flaky", Answer.DOWN, Answer.DOWN);
            bank.willAnswer("early", Answer.CLOSED_FOR_NOW);
            bank.willAnswer("gone", Answer.CLOSED_ACCOUNT);
            bank.willAnswer("poor", Answer.REFUSED);
            for (String account : new String[] {"good", "flaky", "early", "gone", "poor"}) {
                collecting.due(new Due(account, 100));
            }
            awaitCollected(jdbc, 3);
            DeadLetters dead = context.getBean(DeadLetters.class);
            System.out.println("collected: " + collected(jdbc));
            System.out.println(
                    "dead: " + dead.groups(Collecting.MONEY_DUE, 10).get(0).error());
            System.out.println("replayed: "
                    + dead.replay(
                                    DeadLetterFilter.of(Collecting.MONEY_DUE),
                                    BulkAction.by("ada", "the account was covered"))
                            .changed());
            awaitCollected(jdbc, 4);
            System.out.println("collected: " + collected(jdbc));
        }
    }

    private static void awaitCollected(JdbcTemplate jdbc, int number) throws InterruptedException {
        while (jdbc.queryForList("SELECT 1 FROM collected").size() < number) {
            Thread.sleep(20);
        }
    }

    private static Object collected(JdbcTemplate jdbc) {
        return jdbc.queryForList(
                "SELECT CONCAT(account, ' in attempt ', attempt) FROM collected ORDER BY id", String.class);
    }
}
