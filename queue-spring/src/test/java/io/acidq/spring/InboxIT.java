package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Inbox;
import io.acidq.InboxResult;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.testservers.ServerKind;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@ParameterizedClass
@EnumSource(ServerKind.class)
class InboxIT {

    record Paid(String eventId, long order) {}

    static class Payments {

        private final Inbox inbox;
        private final JdbcTemplate jdbc;

        Payments(Inbox inbox, JdbcTemplate jdbc) {
            this.inbox = inbox;
            this.jdbc = jdbc;
        }

        // snippet:once
        /** Called by the payment provider's webhook, at least once for each event. */
        @Transactional
        public boolean received(Paid event) {
            return inbox.once("payments", event.eventId(), () -> insert(event)).ran();
        }
        // /snippet

        // snippet:result
        /** Called over HTTP; a client that saw no answer sends the same request id again. */
        @Transactional
        public String place(String requestId, long order) {
            InboxResult<String> placed = inbox.once("orders", requestId, () -> {
                jdbc.update("INSERT INTO effect (id, note) VALUES (?, ?)", order, requestId);
                return "placed " + order;
            });
            return placed.isDuplicate() ? "placed " + orderOf(requestId) + " before" : placed.result();
        }
        // /snippet

        // snippet:bulk
        /** Called with what a broker delivers in one go. */
        @Transactional
        public List<Paid> received(Collection<Paid> events) {
            return inbox.onceAll("payments", events, Paid::eventId, fresh -> fresh.forEach(this::insert));
        }
        // /snippet

        public boolean receivedWithoutTransaction(Paid event) {
            return inbox.once("payments", event.eventId(), () -> insert(event)).ran();
        }

        @Transactional(readOnly = true)
        public boolean receivedReadOnly(Paid event) {
            return inbox.once("payments", event.eventId(), () -> insert(event)).ran();
        }

        @Transactional
        public String receivedWithAnExceptionSwallowed(Paid event) {
            try {
                inbox.once("payments", event.eventId(), () -> {
                    insert(event);
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void beforeCommit(boolean readOnly) {
                            insert(event); // rolled back with the work
                        }
                    });
                    throw new IllegalStateException("no such order");
                });
                return "fine";
            } catch (IllegalStateException e) {
                return e.getMessage();
            }
        }

        private void insert(Paid event) {
            jdbc.update("INSERT INTO effect (id, note) VALUES (?, 'paid')", event.order());
        }

        private Long orderOf(String requestId) {
            return jdbc.queryForObject("SELECT id FROM effect WHERE note = ?", Long.class, requestId);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {
        @Bean
        Payments payments(Inbox inbox, JdbcTemplate jdbc) {
            return new Payments(inbox, jdbc);
        }
    }

    private final QueueApplication application;

    InboxIT(ServerKind kind) {
        application = new QueueApplication(kind, Shop.class);
    }

    @BeforeEach
    void createStock() {
        application.bean(TestPool.class).createStock();
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void runsTheWorkOfATransactionalMethodOnce() {
        assertThat(payments().received(new Paid("e1", 1))).isTrue();
        assertThat(payments().received(new Paid("e1", 1))).isFalse();
        assertThat(payments().received(new Paid("e2", 2))).isTrue();

        assertThat(application.effects()).isEqualTo(2);
    }

    @Test
    void answersARepetitionWithTheStoredResult() {
        assertThat(payments().place("r1", 7)).isEqualTo("placed 7");
        assertThat(payments().place("r1", 8)).isEqualTo("placed 7 before");

        assertThat(application.effects()).isEqualTo(1);
    }

    @Test
    void runsTheWorkOfABatchForTheNewEvents() {
        payments().received(new Paid("e1", 1));

        assertThat(payments().received(List.of(new Paid("e2", 2), new Paid("e1", 1), new Paid("e2", 2))))
                .containsExactly(new Paid("e2", 2));
        assertThat(application.effects()).isEqualTo(2);
    }

    @Test
    void releasesAKeyWhenTheTransactionRollsBack() {
        application.transaction.executeWithoutResult(status -> {
            payments().received(new Paid("e1", 1));
            status.setRollbackOnly();
        });

        assertThat(payments().received(new Paid("e1", 1))).isTrue();
        assertThat(application.effects()).isEqualTo(1);
    }

    @Test
    void rollsBackKeyAndEffectsWhenTheMethodSwallowsTheExceptionOfTheWork() {
        assertThat(payments().receivedWithAnExceptionSwallowed(new Paid("e1", 1)))
                .isEqualTo("no such order");
        assertThat(application.effects()).isZero();

        assertThat(payments().received(new Paid("e1", 1))).isTrue();
    }

    @Test
    void refusesACallWithoutATransactionOrInAReadOnlyOne() {
        assertThatThrownBy(() -> payments().receivedWithoutTransaction(new Paid("e1", 1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("consumer 'payments'", "@Transactional");
        assertThatThrownBy(() -> payments().receivedReadOnly(new Paid("e1", 1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("consumer 'payments'", "readOnly = true");
        assertThat(application.effects()).isZero();
    }

    /** Otherwise the second half of the work would commit without the key, and be repeated. */
    @Test
    void neverCommitsWorkThatSwallowedADeadlock() {
        Inbox inbox = application.bean(Inbox.class);

        assertThatThrownBy(() -> application.transaction.executeWithoutResult(
                        status -> inbox.once("payments", "e1", this::swallowADeadlock)))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("swallowed a deadlock");

        assertThat(application.effects()).isZero();
        assertThat(payments().received(new Paid("e1", 1))).isTrue();
    }

    private void swallowADeadlock() {
        application.bean(TestPool.class).becomeDeadlockVictim();
        application.jdbc.update("INSERT INTO effect (id) VALUES (2)");
    }

    private Payments payments() {
        return application.bean(Payments.class);
    }
}
