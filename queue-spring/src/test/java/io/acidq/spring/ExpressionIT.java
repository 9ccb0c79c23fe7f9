package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Expressions of annotations that are not what they must be: each ended without an error, a message lost or published against its condition. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ExpressionIT {

    record Order(long id, Boolean test) {

        public boolean sure() {
            return test;
        }
    }

    static class Orders {

        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @Publish(queue = "placed", condition = "#order.test")
        public Order placeOnCondition(Order order) {
            return insert(order);
        }

        @Transactional
        @Publish(queue = "placed", unless = "#payload.test")
        public Order placeUnless(Order order) {
            return insert(order);
        }

        @Transactional
        @Publish(queue = "placed", key = "#result.sure()")
        public Order placeWithKey(Order order) {
            return insert(order);
        }

        @QueueListener(queue = "some", condition = "#payload.test", retry = "quick")
        void some(Order order) {
            insert(order);
        }

        @QueueListener(
                queue = "batch",
                batch = "true",
                concurrency = "1",
                transactionSize = "10",
                condition = "#payload.test",
                retry = "quick")
        void batch(List<Order> orders) {
            orders.forEach(this::insert);
        }

        private Order insert(Order order) {
            jdbc.update("INSERT INTO effect (id) VALUES (?)", order.id());
            return order;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Shop {

        @Bean
        Orders orders(JdbcTemplate jdbc) {
            return new Orders(jdbc);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO);
        }
    }

    private final QueueApplication application;

    ExpressionIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void rollsBackACallWhoseExpressionIsNeitherTrueNorFalse() {
        Orders orders = application.bean(Orders.class);
        Order order = new Order(1, null);

        assertRejected(() -> orders.placeOnCondition(order), "condition '#order.test' evaluates to null");
        assertRejected(() -> orders.placeUnless(order), "unless '#payload.test' evaluates to null");

        orders.placeOnCondition(new Order(2, true));
        orders.placeUnless(new Order(3, false));
        assertThat(application.messages()).isEqualTo(2);
        assertThat(application.effects()).isEqualTo(2);
    }

    @Test
    void rollsBackACallWhoseExpressionThrows() {
        Orders orders = application.bean(Orders.class);

        assertRejected(() -> orders.placeWithKey(new Order(1, null)), "key '#result.sure()' cannot be evaluated");
    }

    @Test
    void countsAConditionThatIsNeitherTrueNorFalseAsAFailedAttempt() {
        enqueue("some", new Order(1, null), new Order(2, true), new Order(3, false));
        drained();

        assertDead("some", "Orders.some(Order) of bean 'orders': condition '#payload.test' evaluates to null");
        assertThat(effects()).containsExactly(2L);
    }

    @Test
    void runsTheOtherMessagesOfABatchOneOfWhichHasSuchACondition() {
        enqueue("batch", new Order(1, null), new Order(2, true), new Order(3, false), new Order(4, true));
        drained();

        assertDead("batch", "Orders.batch(List) of bean 'orders': condition '#payload.test' evaluates to null");
        assertThat(effects()).containsExactly(2L, 4L);
    }

    private void assertRejected(Runnable call, String words) {
        assertThatThrownBy(call::run)
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@Publish on " + Orders.class.getName() + ".place")
                .hasMessageContaining(words);
        assertThat(application.messages()).isZero();
        assertThat(application.effects()).isZero();
    }

    private void assertDead(String queue, String words) {
        List<DeadLetter> dead = application.bean(DeadLetters.class).list(queue, 10);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).attempts()).isEqualTo(2);
        assertThat(dead.get(0).mark()).contains(words);
    }

    private List<Long> effects() {
        return application.jdbc.queryForList("SELECT id FROM effect ORDER BY id", Long.class);
    }

    private void enqueue(String queue, Order... orders) {
        application.transaction.executeWithoutResult(status -> {
            for (Order order : orders) {
                application.bean(MessageQueue.class).enqueue(queue, order);
            }
        });
    }

    private void drained() {
        await().atMost(Duration.ofSeconds(30)).until(() -> application.messages() == 0);
    }
}
