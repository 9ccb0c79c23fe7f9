package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariPoolMXBean;
import io.acidq.Delivery;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What a handler leaves on its thread and its connection does not reach the next handler of the same worker. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class HandlerCleanupIT {

    record Order(long id, Mark mark) {}

    enum Mark {
        READ_ONLY("the next message could not write"),
        ISOLATION("the next message ran at another isolation level"),
        NETWORK_TIMEOUT("the next message ran with another timeout"),
        AUTOCOMMIT("the next message ran without a transaction"),
        CATALOG("the next message ran in another database"),
        SESSION_VARIABLE("the next message ran with another setting"),
        USER_LEVEL_LOCK("the next message held the lock"),
        TEMPORARY_TABLE("the next message saw the table"),
        TABLE_LOCK("the next message could use one table only"),
        INTERRUPT("the next message was interrupted"),
        CONTEXT_CLASS_LOADER("the next message loaded other classes"),
        LOCALE("the next message had another locale"),
        CALLBACK_CONTEXT_CLASS_LOADER("the same, left by a callback after the commit"),
        CALLBACK_LOCALE("the same, left by a callback after the commit"),
        BOUND_RESOURCE("the next message could not bind its own"),
        EXTERNAL_BOUND_RESOURCE("the same, outside of a transaction"),
        EXTERNAL_SYNCHRONIZATION("the next message had the callbacks of a transaction that never ends");

        Mark(String otherwise) {
            assertThat(otherwise).isNotEmpty();
        }

        boolean isExternal() {
            return name().startsWith("EXTERNAL");
        }
    }

    static class Handlers {

        final Queue<Mark> met = new ConcurrentLinkedQueue<>();
        private final JdbcTemplate jdbc;

        Handlers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @QueueListener(queue = "marks", concurrency = "1", retry = "quick")
        void handle(Order order, Delivery delivery) {
            check();
            jdbc.update(
                    "INSERT INTO effect VALUES (?, ?)", order.id(), order.mark().name());
            if (delivery.attempt() == 1) {
                leave(order.mark());
            }
        }

        @QueueListener(queue = "external", concurrency = "1", retry = "quick", mode = "external")
        void handleExternally(Order order, Delivery delivery) {
            if (TransactionSynchronizationManager.isSynchronizationActive()
                    || TransactionSynchronizationManager.hasResource("mark")) {
                met.add(order.mark());
            }
            if (delivery.attempt() == 1) {
                leave(order.mark());
            }
        }

        private void check() {
            add(Mark.READ_ONLY, connection(Connection::isReadOnly));
            add(Mark.ISOLATION, connection(Connection::getTransactionIsolation) != 2);
            add(Mark.NETWORK_TIMEOUT, connection(Connection::getNetworkTimeout) == 77_000);
            add(Mark.AUTOCOMMIT, connection(Connection::getAutoCommit));
            add(Mark.CATALOG, "information_schema".equals(text("SELECT DATABASE()")));
            add(Mark.SESSION_VARIABLE, "99".equals(text("SELECT @@SESSION.group_concat_max_len")));
            add(Mark.USER_LEVEL_LOCK, "1".equals(text("SELECT IS_USED_LOCK('mark') <=> CONNECTION_ID()")));
            add(Mark.TEMPORARY_TABLE, hasTemporaryTable());
            add(Mark.INTERRUPT, Thread.currentThread().isInterrupted());
            add(Mark.CONTEXT_CLASS_LOADER, Thread.currentThread().getContextClassLoader() instanceof URLClassLoader);
            add(Mark.LOCALE, LocaleContextHolder.getLocale().equals(Locale.KOREAN));
            add(Mark.BOUND_RESOURCE, TransactionSynchronizationManager.hasResource("mark"));
        }

        private void leave(Mark mark) {
            switch (mark) {
                case READ_ONLY -> change(connection -> connection.setReadOnly(true));
                case ISOLATION ->
                    change(connection -> jdbc.execute("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
                case NETWORK_TIMEOUT -> change(connection -> connection.setNetworkTimeout(Runnable::run, 77_000));
                case AUTOCOMMIT -> change(connection -> connection.setAutoCommit(true));
                case CATALOG -> change(connection -> connection.setCatalog("information_schema"));
                case SESSION_VARIABLE -> jdbc.update("SET SESSION group_concat_max_len = 99");
                case USER_LEVEL_LOCK -> text("SELECT GET_LOCK('mark', 10)");
                case TEMPORARY_TABLE -> jdbc.execute("CREATE TEMPORARY TABLE mark (id INT)");
                case TABLE_LOCK -> jdbc.execute("LOCK TABLES effect READ");
                case INTERRUPT -> Thread.currentThread().interrupt();
                case CONTEXT_CLASS_LOADER ->
                    Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
                case LOCALE -> LocaleContextHolder.setLocale(Locale.KOREAN);
                case CALLBACK_CONTEXT_CLASS_LOADER -> afterCommit(() -> leave(Mark.CONTEXT_CLASS_LOADER));
                case CALLBACK_LOCALE -> afterCommit(() -> leave(Mark.LOCALE));
                case BOUND_RESOURCE, EXTERNAL_BOUND_RESOURCE ->
                    TransactionSynchronizationManager.bindResource("mark", "left");
                case EXTERNAL_SYNCHRONIZATION -> {
                    TransactionSynchronizationManager.initSynchronization();
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {});
                }
            }
        }

        private static void afterCommit(Runnable callback) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    callback.run();
                }
            });
        }

        private void add(Mark mark, boolean isThere) {
            if (isThere) {
                met.add(mark);
            }
        }

        private boolean hasTemporaryTable() {
            try {
                jdbc.queryForList("SELECT * FROM mark");
                return true;
            } catch (DataAccessException absent) {
                return false;
            }
        }

        private String text(String query) {
            return jdbc.queryForObject(query, String.class);
        }

        private <T> T connection(ConnectionCallback<T> read) {
            return jdbc.execute(read);
        }

        private void change(Change change) {
            jdbc.execute((Connection connection) -> {
                change.apply(connection);
                return "";
            });
        }

        @FunctionalInterface
        private interface Change {
            void apply(Connection connection) throws SQLException;
        }
    }

    /** What a handler takes from another DataSource, and binds to its thread, and never returns. */
    enum Taken {
        CONNECTION_OF_SPRING(other -> DataSourceUtils.getConnection(other).setAutoCommit(true)),
        BOUND_CONNECTION(other -> {
            Connection connection = other.getConnection();
            connection.setAutoCommit(false);
            connection.createStatement().execute("INSERT INTO effect VALUES (1, 'uncommitted')");
            TransactionSynchronizationManager.bindResource(other, new ConnectionHolder(connection));
        }),
        BOUND_SESSION(other -> TransactionSynchronizationManager.bindResource(
                "sessions", new SessionHolder(new Session(other.getConnection()))));

        private final TakeFrom take;

        Taken(TakeFrom take) {
            this.take = take;
        }

        interface TakeFrom {
            void take(DataSource other) throws SQLException;
        }
    }

    /** A session over a connection, as MyBatis and Hibernate have them. */
    private record Session(Connection connection) implements Closeable {

        @Override
        public void close() throws IOException {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    public static final class SessionHolder extends ResourceHolderSupport {

        private final Session session;

        SessionHolder(Session session) {
            this.session = session;
        }

        public Closeable getSession() {
            return session;
        }
    }

    record Take(Taken taken) {}

    static class Taking {

        private final TestPool other;
        private final PlatformTransactionManager manager;

        Taking(TestPool other, PlatformTransactionManager manager) {
            this.other = other;
            this.manager = manager;
        }

        /** Also leaves AcidQ's transaction suspended. */
        @QueueListener(queue = "taking.suspended", concurrency = "1", retry = "quick")
        void takeSuspended(Take order) throws SQLException {
            manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NOT_SUPPORTED));
            order.taken().take.take(other);
        }

        @QueueListener(queue = "taking", concurrency = "1", retry = "quick")
        void take(Take order) throws SQLException {
            order.taken().take.take(other);
        }

        /** Spring binds the connection of {@link DataSourceUtils} only in a transaction; without one the application has to return it itself. */
        @QueueListener(queue = "taking.outside", concurrency = "1", retry = "quick", mode = "external")
        void takeOutside(Take order) throws SQLException {
            if (order.taken() != Taken.CONNECTION_OF_SPRING) {
                order.taken().take.take(other);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        /** Not a DataSource for Spring: the application has one. */
        @Bean(autowireCandidate = false)
        TestPool other(TestPool pool) {
            return pool.another();
        }

        @Bean
        Taking taking(ListableBeanFactory beans, PlatformTransactionManager manager) {
            return new Taking(beans.getBean("other", TestPool.class), manager);
        }

        @Bean
        Handlers handlers(JdbcTemplate jdbc) {
            return new Handlers(jdbc);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults().withMaxAttempts(3).withBackoff(Duration.ZERO, 1, Duration.ZERO);
        }
    }

    private final QueueApplication application;

    HandlerCleanupIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    /** Each message leaves another mark, and each looks for all of them. */
    @Test
    void doesNotPassAMarkOfOneHandlerToTheNext() {
        List<Mark> marks = List.of(Mark.values());
        for (Mark mark : marks) {
            application.enqueue(
                    mark.isExternal() ? "external" : "marks",
                    LongStream.range(0, 3)
                            .mapToObj(i -> new Order(mark.ordinal() * 3L + i, mark))
                            .toArray());
        }
        application.drained();

        assertThat(application.bean(Handlers.class).met).isEmpty();
        assertThat(application.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
        assertThat(application.count("SELECT COUNT(DISTINCT id) FROM effect"))
                .isEqualTo(3
                        * (int) marks.stream()
                                .filter(mark -> !mark.isExternal())
                                .count());
        assertThat(application.count("SELECT GET_LOCK('mark', 30) + RELEASE_LOCK('mark')"))
                .as("the lock was free")
                .isEqualTo(2);
    }

    /** A bug: the connections of the other pool were unbound and stayed out of it for ever. */
    @Test
    void returnsConnectionsThatAHandlerHasBoundToItsThreadForAnotherDataSource() {
        for (String queue : List.of("taking", "taking.outside")) {
            application.enqueue(queue, Stream.of(Taken.values()).map(Take::new).toArray());
        }
        application.drained();

        assertThat(application.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
        HikariPoolMXBean other = application.bean(Taking.class).other.getHikariPoolMXBean();
        await().untilAsserted(
                        () -> assertThat(other.getActiveConnections()).isZero()); // the last ones just after the commit
        assertThat(application.count("SELECT COUNT(*) FROM effect")).isZero();
    }

    /** Only the connection of a transaction was closed, and not that of a session. */
    @Test
    void returnsTheConnectionOfASessionThatAHandlerHasBoundAndLeftInASuspendedTransaction() {
        application.enqueue("taking.suspended", new Take(Taken.BOUND_SESSION));
        application.drained();

        assertThat(application.onlyDeadLetter("taking.suspended").error()).contains("did not resume it");
        HikariPoolMXBean other = application.bean(Taking.class).other.getHikariPoolMXBean();
        await().untilAsserted(() ->
                assertThat(other.getActiveConnections()).isZero()); // the last one just after the rollback
    }
}
