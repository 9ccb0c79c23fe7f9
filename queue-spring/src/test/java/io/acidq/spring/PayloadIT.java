package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.testservers.ServerKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Payloads whose run-time class is not the one that the listener declares. They became dead letters at their first run. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class PayloadIT {

    // snippet:sealed
    sealed interface CustomerChange permits Moved, Renamed {}

    record Moved(long customer, String city) implements CustomerChange {}

    record Renamed(long customer, String name) implements CustomerChange {}
    // /snippet

    static class Customers {

        private final JdbcTemplate jdbc;

        Customers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @Publish(queue = "customer.changed")
        public List<CustomerChange> changeAll(List<CustomerChange> changes) {
            return changes;
        }

        // snippet:sealedListener
        @QueueListener(queue = "customer.changed")
        void changed(CustomerChange change) {
            if (change instanceof Moved moved) {
                jdbc.update("INSERT INTO effect VALUES (?, ?)", moved.customer(), moved.city());
            } else if (change instanceof Renamed renamed) {
                jdbc.update("INSERT INTO effect VALUES (?, ?)", renamed.customer(), renamed.name());
            }
        }
        // /snippet

        // snippet:map
        @Transactional
        @Publish(queue = "customer.imported")
        public Map<String, Object> importRow(long customer, String note) {
            return Map.of("customer", customer, "note", note);
        }

        @QueueListener(queue = "customer.imported")
        void imported(Map<String, Object> row) {
            jdbc.update("INSERT INTO effect VALUES (?, ?)", row.get("customer"), row.get("note"));
        }
        // /snippet
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {

        @Bean
        Customers customers(JdbcTemplate jdbc) {
            return new Customers(jdbc);
        }
    }

    private final QueueApplication application;

    PayloadIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void runsEachClassThatTheSealedTypeOfTheListenerPermits() {
        application.bean(Customers.class).changeAll(List.of(new Moved(1, "Oslo"), new Renamed(2, "Ann")));
        application.drained();

        assertThat(application.notes()).containsExactly("Oslo", "Ann");
    }

    @Test
    void runsAMapThatAMethodReturned() {
        application.bean(Customers.class).importRow(1, "new");
        application.drained();

        assertThat(application.notes()).containsExactly("new");
    }

    @Test
    void refusesAPayloadThatTheListenerCannotReadAndNamesBothTypes() {
        assertThatThrownBy(() -> application.enqueue("customer.changed", "text"))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("'customer.changed'", "java.lang.String", CustomerChange.class.getName());
    }
}
