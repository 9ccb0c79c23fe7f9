package io.acidq.spring;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.QueueMisuseException;
import io.acidq.testservers.ServerKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Several messages of one method, events, and templates, on servers. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class PublishManyIT {

    record Order(long id, String customer, boolean test) {}

    record Line(long order, String article) {}

    // snippet:event
    @PublishedTo(queue = "order.cancelled", key = "id", orderingKey = "customer")
    record OrderCancelled(long id, String customer) {}
    // /snippet

    static class Orders {

        private final ApplicationEventPublisher events;
        private final QueueTemplate<Order> archive;

        // snippet:template
        Orders(ApplicationEventPublisher events, @QueueName("order.archived") QueueTemplate<Order> archive) {
            this.events = events;
            this.archive = archive;
        }
        // /snippet

        // snippet:several
        @Transactional
        @Publish(
                queue = "order.placed",
                key = "#result.id",
                headers = {"source='web'", "tenant=#tenant"},
                unless = "#result.test")
        @Publish(queue = "order.remind", payload = "#result.id", delay = "3d")
        public Order place(Order order, String tenant) {
            return order;
        }
        // /snippet

        // snippet:elements
        @Transactional
        @Publish(queue = "line.picked", key = "#payload.article", orderingKey = "'order-' + #payload.order")
        public List<Line> pick(long order, List<String> articles) {
            return articles.stream().map(article -> new Line(order, article)).toList();
        }
        // /snippet

        @Publish(queue = "order.placed", transactionManager = "transactionManager")
        public Order placeWithManager(Order order) {
            return order;
        }

        // snippet:publishEvent
        @Transactional
        public void cancel(Order order) {
            events.publishEvent(new OrderCancelled(order.id(), order.customer()));
        }
        // /snippet

        public void cancelWithoutTransaction(Order order) {
            events.publishEvent(new OrderCancelled(order.id(), order.customer()));
        }

        // snippet:enqueue
        @Transactional
        public Enqueued archive(Order order) {
            return archive.enqueue(order, options().key("" + order.id()));
        }
        // /snippet

        public Enqueued archiveWithoutTransaction(Order order) {
            return archive.enqueue(order);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Orders.class)
    static class Shop {}

    private final QueueApplication application;
    private final Orders orders;

    PublishManyIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
        this.orders = application.bean(Orders.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    private static final Order ORDER = new Order(1, "ann", false);

    @Test
    void commitsAllMessagesOfAMethodOrNone() {
        orders.place(ORDER, "north");
        orders.place(new Order(2, "bob", true), "north");
        orders.pick(1, List.of("cup", "tea", "cup"));
        assertThat(perQueue()).containsExactly("line.picked 2", "order.placed 1", "order.remind 2");

        application.transaction.executeWithoutResult(status -> {
            orders.place(new Order(3, "ann", false), "south");
            orders.pick(3, List.of("pen", "ink"));
            status.setRollbackOnly();
        });
        assertThat(perQueue()).containsExactly("line.picked 2", "order.placed 1", "order.remind 2");
    }

    @Test
    void commitsAnEventWithItsTransactionAndRefusesItWithoutOne() {
        orders.cancel(ORDER);
        application.transaction.executeWithoutResult(status -> {
            orders.cancel(new Order(2, "bob", false));
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> orders.cancelWithoutTransaction(ORDER))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@PublishedTo on " + OrderCancelled.class.getName());

        assertThat(perQueue()).containsExactly("order.cancelled 1");
    }

    @Test
    void enqueuesThroughATemplateInATransactionOnly() {
        assertThat(orders.archive(ORDER).isAdded()).isTrue();
        assertThat(orders.archive(ORDER).isDuplicate()).isTrue();
        assertThatThrownBy(() -> orders.archiveWithoutTransaction(ORDER)).isInstanceOf(QueueMisuseException.class);

        assertThat(perQueue()).containsExactly("order.archived 1");
    }

    @Test
    void acceptsTheNameOfTheMainTransactionManager() {
        application.transaction.executeWithoutResult(status -> orders.placeWithManager(ORDER));

        assertThat(perQueue()).containsExactly("order.placed 1");
    }

    private List<String> perQueue() {
        return application.jdbc.queryForList(
                "SELECT CONCAT(q.name, ' ', COUNT(*)) FROM (SELECT queue FROM acidq_message UNION ALL SELECT queue FROM"
                        + " acidq_scheduled) m JOIN acidq_queue q ON q.id = m.queue GROUP BY q.name ORDER BY q.name",
                String.class);
    }
}
