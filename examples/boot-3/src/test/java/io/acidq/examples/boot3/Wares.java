package io.acidq.examples.boot3;

import io.acidq.Outcome;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** More of what queue-spring and queue-micrometer can do, for the test alone; the application's scan finds it. */
@Component
class Wares {

    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;
    private final QueueTemplate<Order> template;

    Wares(
            JdbcTemplate jdbc,
            ApplicationEventPublisher events,
            @QueueName("wares.template") QueueTemplate<Order> template) {
        this.jdbc = jdbc;
        this.events = events;
        this.template = template;
    }

    @PublishedTo(queue = "wares.event", key = "id")
    record Seen(long id) {}

    @Transactional
    @Publish(queue = "wares.batch", key = "#result.id")
    @Publish(queue = "wares.broken", key = "#result.id", unless = "#result.id < 10")
    public Order twice(Order order) {
        return order;
    }

    @Transactional
    public void see(long id) {
        events.publishEvent(new Seen(id));
    }

    @Transactional
    public void send(Order order) {
        template.enqueue(order);
    }

    @QueueListener(queue = "wares.batch", batch = "true", transactionSize = "10")
    public void batch(List<Order> orders) {
        orders.forEach(order -> write(jdbc, order.id(), "batch"));
    }

    @QueueListener(queue = "wares.broken", errorHandler = "toTable", retry = "quickly")
    public void broken(Order order) {
        throw new IllegalStateException("broken " + order.id());
    }

    @QueueListener(queue = "wares.event")
    public void event(Seen seen) {
        write(jdbc, seen.id(), "event");
    }

    @QueueListener(queue = "wares.template")
    public void template(Order order) {
        write(jdbc, order.id(), "template");
    }

    private static void write(JdbcTemplate jdbc, long order, String how) {
        jdbc.update("INSERT INTO shipments (order_id, speed, headers, attempt) VALUES (?, ?, 0, 1)", order, how);
    }

    /** Beans beside those of the application. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        QueueErrorHandler toTable(JdbcTemplate jdbc) {
            return (message, delivery, thrown) -> {
                write(jdbc, ((Order) message.getPayload()).id(), "handled");
                return Outcome.done();
            };
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        AcidqMetrics acidqMetrics(MeterRegistry meters) {
            return new AcidqMetrics(meters, "wares");
        }
    }
}
