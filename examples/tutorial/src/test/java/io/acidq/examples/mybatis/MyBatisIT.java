package io.acidq.examples.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.admin.DeadLetters;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What the page on MyBatis says. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class MyBatisIT {

    private final ConfigurableApplicationContext context;
    private final StockMapper stock;
    private final MessageQueue queue;
    private final DeadLetters deadLetters;

    MyBatisIT(ServerKind kind) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(
                MyBatisApplication.class,
                database.springArguments(
                        "--acidq.retry.stock.max-attempts=2",
                        "--acidq.retry.stock.initial-delay=0s",
                        "--acidq.retry.stock.max-delay=0s"));
        stock = context.getBean("sessions", SqlSessionTemplate.class).getMapper(StockMapper.class);
        queue = context.getBean(MessageQueue.class);
        deadLetters = context.getBean(DeadLetters.class);
        stock.createStock();
        stock.createSeen();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void commitsTheStatementsOfBothFactoriesWithTheEndOfTheMessage() {
        enqueue(
                "delivered",
                new Stock.Delivered(1, List.of("bolt", "nut")),
                new Stock.Delivered(2, List.of("nut", "washer")));

        awaitEndOfAll();

        assertThat(stock.notes())
                .as("the later one has an article that is there")
                .hasSize(1)
                .isEqualTo(stock.seen());
        assertThat(deadLetters.list("delivered", 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.attempts()).isEqualTo(2));
    }

    @Test
    void countsAStatementThatFailsAtTheCommitAsAFailureOfTheMessage() {
        enqueue(
                "delivered.unflushed",
                new Stock.Delivered(1, List.of("bolt", "nut")),
                new Stock.Delivered(2, List.of("washer", "nut")));

        awaitEndOfAll();

        assertThat(stock.notes()).hasSize(1);
        assertThat(deadLetters.list("delivered.unflushed", 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.attempts()).isEqualTo(2));
    }

    @Test
    void takesBackTheBatchOfEachMessageThatFailedAmongSeveral() {
        enqueue("delivered.together", deliveries(10));

        awaitEndOfAll();

        assertThat(stock.notes()).containsExactly(1, 2, 4, 5, 7, 8, 10);
    }

    @Test
    void readsNothingThatANeighbourWroteWhoFailed() {
        enqueue("delivered.counted", deliveries(10));

        awaitEndOfAll();

        assertThat(context.getBean(JdbcTemplate.class).queryForList("SELECT stocked FROM seen", Integer.class))
                .as("how many articles came with each")
                .containsExactly(1, 1, 1, 1, 1, 1, 1);
    }

    private static Stock.Delivered[] deliveries(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(note -> new Stock.Delivered(note, List.of("article " + note)))
                .toArray(Stock.Delivered[]::new);
    }

    private void enqueue(String name, Stock.Delivered... all) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(open -> List.of(all).forEach(one -> queue.enqueue(name, one)));
    }

    private void awaitEndOfAll() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> context.getBean(JdbcTemplate.class)
                                .queryForObject(
                                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)",
                                        Integer.class)
                        == 0);
    }
}
