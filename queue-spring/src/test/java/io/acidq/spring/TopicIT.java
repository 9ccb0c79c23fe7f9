package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.testservers.ServerKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Topics by annotations: a shop whose billing and stock each get every order. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class TopicIT {

    private final ServerKind kind;

    TopicIT(ServerKind kind) {
        this.kind = kind;
    }

    record Order(long id, String region) {}

    @PublishedTo(topic = "order.cancelled")
    record OrderCancelled(long id) {}

    static class Shop {

        private final ApplicationEventPublisher events;

        Shop(ApplicationEventPublisher events) {
            this.events = events;
        }

        // snippet:publish
        @Transactional
        @Publish(topic = "order.placed", key = "#result.id", headers = "region=#result.region")
        public Order place(Order order) {
            return order;
        }
        // /snippet

        @Transactional
        @Publish(topic = "order.placed")
        public List<Order> placeAll(List<Order> orders) {
            return orders;
        }

        @Transactional
        public void cancel(long id) {
            events.publishEvent(new OrderCancelled(id));
        }
    }

    static class Departments {

        private final JdbcTemplate jdbc;

        Departments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // snippet:listen
        @QueueListener(topic = "order.placed", subscription = "billing")
        void bill(Order order) {
            writeInvoice(order);
        }

        @QueueListener(topic = "order.placed", subscription = "stock", filter = "region is null or region = 'eu'")
        void reserve(Order order) {
            takeFromStock(order);
        }
        // /snippet

        private void writeInvoice(Order order) {
            jdbc.update("INSERT INTO effect VALUES (?, 'billing')", order.id());
        }

        private void takeFromStock(Order order) {
            jdbc.update("INSERT INTO effect VALUES (?, 'stock')", order.id());
        }

        @QueueListener(topic = "order.cancelled", subscription = "stock")
        void release(OrderCancelled cancelled) {
            jdbc.update("INSERT INTO effect VALUES (?, 'released')", cancelled.id());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import({Shop.class, Departments.class})
    static class ShopConfiguration {}

    private List<String> effects(QueueApplication application) {
        return application.jdbc.queryForList(
                "SELECT CONCAT(id, ' ', note) FROM effect ORDER BY id, note", String.class);
    }

    @Test
    void deliversAnAnnotatedMethodsResultAndAnEventToEachSubscription() {
        try (QueueApplication application = new QueueApplication(kind, ShopConfiguration.class)) {
            Shop shop = application.bean(Shop.class);
            shop.place(new Order(1, "eu"));
            shop.place(new Order(2, "us"));
            shop.place(new Order(2, "us"));
            shop.placeAll(List.of(new Order(3, "eu"), new Order(4, "us")));
            shop.cancel(5);
            application.drained();
            assertThat(effects(application))
                    .containsExactly(
                            "1 billing",
                            "1 stock",
                            "2 billing",
                            "3 billing",
                            "3 stock",
                            "4 billing",
                            "4 stock",
                            "5 released");
        }
    }

    @Test
    void publishesByTheInjectedQueueAndListsSubscriptions() {
        try (QueueApplication application = new QueueApplication(kind, ShopConfiguration.class)) {
            application.transaction.executeWithoutResult(
                    status -> application.bean(MessageQueue.class).publish("order.placed", new Order(1, "eu")));
            application.drained();
            assertThat(effects(application)).containsExactly("1 billing", "1 stock");
            assertThat(application.bean(Subscriptions.class).list())
                    .extracting(Subscription::queue)
                    .containsExactly("order.cancelled/stock", "order.placed/billing", "order.placed/stock");
        }
    }

    static class TopicWithoutSubscription {

        @QueueListener(topic = "order.placed")
        void handle(Order order) {}
    }

    static class SubscriptionWithoutTopic {

        @QueueListener(queue = "orders", subscription = "billing")
        void handle(Order order) {}
    }

    static class TopicAndQueue {

        @QueueListener(queue = "orders", topic = "order.placed", subscription = "billing")
        void handle(Order order) {}
    }

    static class WrongFilter {

        @QueueListener(topic = "order.placed", subscription = "billing", filter = "region == 'eu'")
        void handle(Order order) {}
    }

    static class PublishToBoth {

        @Transactional
        @Publish(queue = "orders", topic = "order.placed")
        public Order place(Order order) {
            return order;
        }
    }

    static class PublishNowhere {

        @Transactional
        @Publish
        public Order place(Order order) {
            return order;
        }
    }

    @Test
    void refusesDeclarationsThatAreIncompleteOrAmbiguous() {
        assertRefused(TopicWithoutSubscription.class, "topic 'order.placed' has no subscription");
        assertRefused(SubscriptionWithoutTopic.class, "subscription 'billing' has no topic");
        assertRefused(TopicAndQueue.class, "topic 'order.placed' and a queue are both set");
        assertRefused(WrongFilter.class, "[region == 'eu'] has = at character 9");
        assertRefused(PublishToBoth.class, "queue and topic are both set");
        assertRefused(PublishNowhere.class, "neither queue nor topic is set");
    }

    private void assertRefused(Class<?> bean, String message) {
        assertThatThrownBy(() -> new QueueApplication(kind, Transactions.class, bean).close())
                .hasStackTraceContaining(QueueMisuseException.class.getName())
                .hasStackTraceContaining(message)
                .hasStackTraceContaining(bean.getSimpleName());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {}
}
