package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.testservers.ServerKind;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@ParameterizedClass
@EnumSource(ServerKind.class)
class PublishIT {

    private static final int TOO_LARGE = 1024 * 1024;

    record Order(long id, String note) {}

    interface Orders {

        Order place(Order order);

        Order placeWithoutTransaction(Order order);

        Order placeReadOnly(Order order);

        Order placeAlone(Order order);

        Order placeAndFail(Order order);

        @Publish(queue = "by-interface", key = "#result.id")
        Order placeByInterface(Order order);
    }

    static class OrderService implements Orders {

        private final JdbcTemplate jdbc;

        OrderService(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        @Transactional
        @Publish(queue = "order.placed", key = "#result.id", orderingKey = "'customer'")
        public Order place(Order order) {
            return insert(order);
        }

        @Override
        @Publish(queue = "order.placed")
        public Order placeWithoutTransaction(Order order) {
            return insert(order);
        }

        @Override
        @Transactional(readOnly = true)
        @Publish(queue = "order.placed")
        public Order placeReadOnly(Order order) {
            return insert(order);
        }

        @Override
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Publish(queue = "order.placed")
        public Order placeAlone(Order order) {
            return insert(order);
        }

        @Override
        @Transactional
        @Publish(queue = "order.placed")
        public Order placeAndFail(Order order) {
            insert(order);
            throw new IllegalStateException("out of stock");
        }

        @Override
        @Transactional
        public Order placeByInterface(Order order) {
            return insert(order);
        }

        private Order insert(Order order) {
            jdbc.update("INSERT INTO effect (id) VALUES (?)", order.id());
            return order;
        }
    }

    static class Imports {

        private final JdbcTemplate jdbc;

        Imports(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Async
        @Transactional
        @Publish(queue = "order.imported", payload = "#order")
        public CompletableFuture<Boolean> place(Order order) {
            jdbc.update("INSERT INTO effect (id) VALUES (?)", order.id());
            return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableTransactionManagement
    static class Background {
        @Bean
        Imports imports(JdbcTemplate jdbc) {
            return new Imports(jdbc);
        }
    }

    @Test
    void publishesInTheTransactionOfTheThreadThatRunsAnAsynchronousMethod() {
        try (QueueApplication application = new QueueApplication(kind, Background.class)) {
            assertThat(application.bean(Imports.class).place(new Order(1, "a")).join())
                    .isTrue();

            assertThat(application.effectIds()).containsExactly(1L);
            assertThat(application.messages()).isEqualTo(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Orders orders(JdbcTemplate jdbc) {
            return new OrderService(jdbc);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class TransactionLast extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class TransactionFirst extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionBetween extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class TransactionLastOnClasses extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
    static class TransactionFirstOnClasses extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = 0)
    static class TransactionBetweenOnClasses extends Shop {}

    private final ServerKind kind;

    PublishIT(ServerKind kind) {
        this.kind = kind;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                TransactionLast.class,
                TransactionFirst.class,
                TransactionBetween.class,
                TransactionLastOnClasses.class,
                TransactionFirstOnClasses.class,
                TransactionBetweenOnClasses.class
            })
    void publishesInsideTheTransactionForEachOrderOfAdvice(Class<?> advice) {
        try (QueueApplication application = new QueueApplication(kind, advice)) {
            Orders orders = application.bean(Orders.class);
            assertThat(AopUtils.isCglibProxy(orders))
                    .isEqualTo(advice.getSimpleName().endsWith("OnClasses"));

            orders.place(new Order(1, ""));
            orders.placeByInterface(new Order(2, ""));
            assertThat(application.messages()).isEqualTo(2);
            assertThat(application.effects()).isEqualTo(2);

            assertThatThrownBy(() -> orders.place(new Order(3, "x".repeat(TOO_LARGE))))
                    .isInstanceOf(MessageRejectedException.class);
            assertThatThrownBy(() -> orders.placeAndFail(new Order(4, ""))).hasMessage("out of stock");
            assertThat(application.messages()).isEqualTo(2);
            assertThat(application.effects()).isEqualTo(2);
        }
    }

    @Test
    void rollsTheMessageBackWithTheTransactionOfTheCaller() {
        try (QueueApplication application = new QueueApplication(kind, TransactionFirst.class)) {
            application.transaction.executeWithoutResult(status -> {
                application.bean(Orders.class).place(new Order(1, ""));
                status.setRollbackOnly();
            });

            assertThat(application.messages()).isZero();
            assertThat(application.effects()).isZero();
        }
    }

    @Test
    void publishesInTheInnerTransactionOfTwo() {
        try (QueueApplication application = new QueueApplication(kind, TransactionFirst.class)) {
            application.transaction.executeWithoutResult(status -> {
                application.bean(Orders.class).placeAlone(new Order(1, ""));
                status.setRollbackOnly();
            });

            assertThat(application.messages()).isEqualTo(1);
            assertThat(application.effects()).isEqualTo(1);
        }
    }

    @Test
    void joinsTheTransactionOfTheCaller() {
        try (QueueApplication application = new QueueApplication(kind, TransactionFirst.class)) {
            application.transaction.executeWithoutResult(
                    status -> application.bean(Orders.class).placeWithoutTransaction(new Order(1, "")));

            assertThat(application.messages()).isEqualTo(1);
        }
    }

    @Test
    void doesNotRunTheMethodInAReadOnlyTransaction() {
        try (QueueApplication application = new QueueApplication(kind, TransactionFirst.class)) {
            assertThatThrownBy(() -> application.bean(Orders.class).placeReadOnly(new Order(1, "")))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("read-only");
            assertThat(application.effects()).isZero();
        }
    }
}
