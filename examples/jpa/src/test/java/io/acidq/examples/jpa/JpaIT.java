package io.acidq.examples.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetters;
import io.acidq.codec.JacksonCodec;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.QueueListener;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JpaIT {

    static class Accounts {

        @PersistenceContext
        EntityManager entities;

        @Transactional
        public void book(String article) {
            entities.persist(new Purchase(article, 1));
            throw new IllegalStateException("no account");
        }
    }

    static class Bookings {

        @Autowired
        Accounts accounts;

        @QueueListener(queue = "booked", errorHandler = "toPurchase")
        void book(PurchasePlaced placed) {
            accounts.book("partial");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Accounts.class, Bookings.class})
    static class BookingsConfiguration {

        @Bean
        QueueErrorHandler toPurchase(EntityManager entities) {
            return (message, delivery, thrown) -> {
                entities.persist(new Purchase("refunded", 1));
                return Outcome.done();
            };
        }
    }

    @Parameter
    ServerKind kind;

    private TestDatabase database;
    private ConfigurableApplicationContext context;
    private Shop shop;
    private JdbcTemplate jdbc;

    @BeforeParameterizedClassInvocation
    void start() {
        database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(
                new Class<?>[] {
                    JpaApplication.class, BookingsConfiguration.class, Leaks.class, Remains.class, Callbacks.class
                },
                database.springArguments("--acidq.retry.warehouse.max-attempts=2"));
        shop = context.getBean(Shop.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void runsInTheTransactionsOfJpa() {
        assertThat(context.getBean(PlatformTransactionManager.class).getClass().getSimpleName())
                .isEqualTo("JpaTransactionManager");
    }

    /** As the table in docs/en/listeners.md says: the connection goes back to the pool with the setting, and without the isolation level. */
    @Test
    void passesASessionVariableToTheNextHandlerAndNoIsolationLevel() {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> IntStream.range(0, 30)
                        .forEach(i -> context.getBean(MessageQueue.class).enqueue("remains", "article " + i)));
        Remains remains = context.getBean(Remains.class);
        await().until(() -> remains.settings.size() == 30);

        assertThat(remains.settings).contains("99");
        assertThat(remains.isolations).doesNotContain(Remains.ISOLATION);
    }

    @Test
    void reservesWhatWasBoughtAndTakesItFromTheStock() {
        shop.deliver("tea", 10);

        PurchasePlaced placed = shop.buy("tea", 3);

        await().until(() -> reservations(placed) == 1);
        assertThat(stockOf("tea")).isEqualTo(7);
    }

    @Test
    void rollsThePurchaseBackWithItsMessage() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    shop.buy("hay", 1);
                    throw new IllegalStateException("no money");
                }))
                .hasMessage("no money");

        assertThat(count("purchase WHERE article = 'hay'")).isZero();
        assertThat(count("acidq_message")).isZero();
    }

    @Test
    void rollsTheReservationBackWhenTheStockDoesNotSuffice() {
        shop.deliver("gold", 1);

        PurchasePlaced placed = shop.buy("gold", 2);

        await().until(() -> count("acidq_dead") == 1);
        assertThat(context.getBean(DeadLetters.class).list(Shop.PLACED, 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error()).contains("of gold there are 1, wanted 2"));
        assertThat(reservations(placed)).isZero();
        assertThat(stockOf("gold")).isEqualTo(1);
        jdbc.update("DELETE FROM acidq_dead");
    }

    @Test
    void refusesAnEntityAsPayloadAndItsLazyProxy() {
        shop.deliver("coal", 1);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));

        transaction.executeWithoutResult(status -> {
            Stock lazy = entities.getReference(Stock.class, "coal");
            assertThat(lazy.getClass()).isNotEqualTo(Stock.class);
            for (Object payload : List.of(new Purchase("coal", 1), lazy, Map.of("stock", lazy))) {
                assertThatThrownBy(() -> context.getBean(MessageQueue.class).enqueue("entities", payload))
                        .isInstanceOf(MessageRejectedException.class)
                        .hasMessageContainingAll("JPA entity", "record of ids and values");
            }
        });
    }

    /** The proxy was stored under the name of its generated class. */
    @Test
    void storesALazyProxyAsItsEntityIfEntitiesAreAllowed() {
        shop.deliver("wood", 1);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        JacksonCodec codec = new JacksonCodec().withEntities(true).withRoundTripCheck(false); // Stock has no getters

        transaction.executeWithoutResult(status -> {
            Stock lazy = entities.getReference(Stock.class, "wood");
            assertThat(codec.encode(lazy).type()).isEqualTo("Stock");
        });
    }

    /** Changes a setting of its session and the isolation level, and notes what it found. */
    static class Remains {

        static final int ISOLATION = Connection.TRANSACTION_SERIALIZABLE;

        final List<String> settings = new CopyOnWriteArrayList<>();
        final List<Integer> isolations = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Remains(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @QueueListener(queue = "remains", concurrency = "1")
        void leave(String article) {
            jdbc.execute((Connection connection) -> {
                isolations.add(connection.getTransactionIsolation());
                connection.setTransactionIsolation(ISOLATION);
                return "";
            });
            settings.add(jdbc.queryForObject("SELECT @@SESSION.group_concat_max_len", String.class));
            jdbc.update("SET SESSION group_concat_max_len = 99");
        }
    }

    /** Leaves transactions of JPA open. */
    static class Leaks {

        private final EntityManager entities;
        private final PlatformTransactionManager manager;

        Leaks(EntityManager entities, PlatformTransactionManager manager) {
            this.entities = entities;
            this.manager = manager;
        }

        @QueueListener(queue = "leaks", concurrency = "1", retry = "warehouse")
        void leak(String article, Delivery delivery) {
            entities.persist(new Stock(article + "-outer-" + delivery.attempt(), 1));
            if (delivery.attempt() == 1) {
                entities.flush();
                manager.getTransaction(
                        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
                entities.persist(new Stock(article + "-inner", 1));
                entities.flush();
            }
        }

        @QueueListener(queue = "always", concurrency = "1", retry = "warehouse")
        void alwaysLeaks(String article) {
            entities.persist(new Stock(article, 1));
            manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NOT_SUPPORTED));
        }
    }

    /** Registers a callback that fails as one which begins an inner transaction while the pool is empty. */
    static class Callbacks {

        private final EntityManager entities;

        Callbacks(EntityManager entities) {
            this.entities = entities;
        }

        @QueueListener(queue = "callbacks", concurrency = "1", retry = "warehouse")
        void register(String article) {
            entities.persist(new Stock(article, 1));
            entities.flush();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new CannotCreateTransactionException("the pool is empty");
                }
            });
        }
    }

    /** The transaction stayed open for ever, with its connection and the lock of the message's row. */
    @Test
    void rollsBackWhenACallbackBeforeTheCommitThrowsAnExceptionOfSpringsTransactions() {
        enqueue("callbacks", "copper");

        await().until(() -> count("acidq_dead") == 1);
        assertThat(context.getBean(DeadLetters.class).list("callbacks", 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("Callbacks.register(String)", "beforeCommit", "the pool is empty"));
        await().until(() -> count("information_schema.innodb_trx") == 0);
        assertThat(count("stock WHERE article = 'copper'")).isZero();
        jdbc.update("DELETE FROM acidq_dead");
    }

    @Test
    void rollsBackATransactionThatAHandlerBeganAndDidNotEnd() {
        enqueue("leaks", "iron", "zinc");

        await().until(() -> count("acidq_message") + count("acidq_scheduled") == 0);
        assertThat(jdbc.queryForList(
                        "SELECT article FROM stock WHERE article LIKE 'iron%' OR article LIKE 'zinc%'", String.class))
                .containsExactlyInAnyOrder("iron-outer-2", "zinc-outer-2");
        assertThat(count("acidq_dead")).isZero();
    }

    @Test
    void namesTheHandlerThatLeftAcidQsTransactionSuspended() {
        enqueue("always", "lead");

        await().until(() -> count("acidq_dead") == 1);
        assertThat(context.getBean(DeadLetters.class).list("always", 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("Leaks.alwaysLeaks(String)", "suspended AcidQ's transaction and did not resume it"));
        assertThat(count("stock WHERE article = 'lead'")).isZero();
        jdbc.update("DELETE FROM acidq_dead");
    }

    private void enqueue(String queue, Object... payloads) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> List.of(payloads)
                        .forEach(payload -> context.getBean(MessageQueue.class).enqueue(queue, payload)));
    }

    /** The handler reads the stock, another changes it, and the flush before the commit finds the old version gone. */
    @Test
    void runsAgainWhenAnotherWasFasterWithTheStock() throws Exception {
        shop.deliver("salt", 10);
        PurchasePlaced placed;
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE stock SET quantity = 5, version = version + 1 WHERE article = 'salt'");
            placed = shop.buy("salt", 1);
            await().until(() -> isAnyWaitingForTheStock());
            other.commit();
        }

        await().until(() -> reservations(placed) == 1);
        assertThat(count("reservation WHERE attempt = 2 AND purchase = " + placed.purchase()))
                .isEqualTo(1);
        assertThat(stockOf("salt")).isEqualTo(4);
    }

    /** A new persistence context, because the one of the failed transaction is not usable any more. */
    @Test
    void commitsTheEntitiesOfAnErrorHandlerAfterATransactionalMethodThrew() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

        transaction.executeWithoutResult(
                status -> context.getBean(MessageQueue.class).enqueue("booked", new PurchasePlaced(1, "tea", 1)));

        await().until(() -> count("acidq_message") == 0);
        assertThat(count("purchase WHERE article = 'refunded'")).isEqualTo(1);
        assertThat(count("purchase WHERE article = 'partial'")).isZero();
        assertThat(count("acidq_dead")).isZero();
    }

    private boolean isAnyWaitingForTheStock() {
        return count("information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE 'update stock%'")
                > 0;
    }

    private int reservations(PurchasePlaced placed) {
        return count("reservation WHERE purchase = " + placed.purchase());
    }

    private int stockOf(String article) {
        return jdbc.queryForObject("SELECT quantity FROM stock WHERE article = ?", Integer.class, article);
    }

    private int count(String from) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM " + from, Integer.class);
    }
}
