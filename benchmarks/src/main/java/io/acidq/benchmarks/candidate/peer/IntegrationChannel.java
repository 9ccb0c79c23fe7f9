package io.acidq.benchmarks.candidate.peer;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Vendor;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.PollingConsumer;
import org.springframework.integration.jdbc.store.JdbcChannelMessageStore;
import org.springframework.integration.jdbc.store.channel.MySqlChannelMessageStoreQueryProvider;
import org.springframework.integration.store.MessageGroupQueue;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.support.PeriodicTrigger;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * A queue channel of Spring Integration 7.0.5 over {@link JdbcChannelMessageStore}. A poll receives, handles and deletes a message in one
 * transaction. The registry lacks the version that Spring Boot manages.
 *
 * <ul>
 *   <li>The channel store uses the queries for MySQL, which skip locked rows, so it needs no cache of ids
 *       (docs.spring.io/spring-integration/reference/jdbc/message-store.html, "Backing Message Channels", "Concurrent Polling").
 *   <li>The poller has a task executor and a transaction with READ COMMITTED, as on that page.
 *   <li>The tables are those of its script schema-mysql.sql, without the optional index for priorities.
 * </ul>
 */
public final class IntegrationChannel {

    /** Finds the id in a serialized message: no other part has twelve digits in a row. */
    private static final String DIGITS = "REGEXP_SUBSTR(CONVERT(MESSAGE_CONTENT USING latin1), '[0-9]{12}')";

    private IntegrationChannel() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "spring-integration",
                true,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE, Capability.OTHER_PROCESS),
                "int_",
                IntegrationAdapter::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Application {}

    private static final class IntegrationAdapter implements CandidateAdapter {

        private final SpringBasedApplication spring;
        private final AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class);
        private final QueueChannel channel;
        private @Nullable Pollers pollers;

        IntegrationAdapter(CandidateDatabase database) throws SQLException {
            // Autocommit off is faster by a third on MySQL, and slower by a fifth on MariaDB.
            spring = database.vendor() == Vendor.MYSQL
                    ? SpringBasedApplication.tuned(database)
                    : SpringBasedApplication.withAutoCommit(database);
            createTables();
            JdbcChannelMessageStore store = new JdbcChannelMessageStore(spring.pool());
            store.setChannelMessageStoreQueryProvider(new MySqlChannelMessageStoreQueryProvider());
            store.afterPropertiesSet();
            channel = new QueueChannel(new MessageGroupQueue(store, "letters"));
            channel.setBeanFactory(context);
            channel.setBeanName("letters");
            channel.afterPropertiesSet();
        }

        /** The script itself has no IF NOT EXISTS. */
        private void createTables() throws SQLException {
            try (Connection connection = spring.pool().getConnection();
                    ResultSet table = connection
                            .getMetaData()
                            .getTables(connection.getCatalog(), null, "INT_CHANNEL_MESSAGE", null)) {
                if (table.next()) {
                    return;
                }
            }
            new ResourceDatabasePopulator(
                            new ClassPathResource("org/springframework/integration/jdbc/schema-mysql.sql"))
                    .execute(spring.pool());
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.send(sendBatch, messages -> messages.forEach(this::send));
        }

        private void send(BenchmarkMessage message) {
            channel.send(new GenericMessage<>(message.text()));
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            PollingConsumer consumer =
                    new PollingConsumer(channel, message -> handle(handlerWork, message.getPayload()));
            consumer.setBeanFactory(context);
            pollers = new Pollers(workers, consumer, spring.manager());
            pollers.start();
        }

        private void handle(HandlerWork handlerWork, Object text) {
            try {
                handlerWork.run(spring.connection(), (String) text);
            } catch (Exception e) {
                throw new IllegalStateException("the handler failed", e);
            }
        }

        @Override
        public void stop() throws InterruptedException {
            if (pollers != null) {
                pollers.stop();
                pollers = null;
            }
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(spring.pool(), DIGITS, "INT_CHANNEL_MESSAGE", ids);
        }

        @Override
        public void close() {
            try {
                stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            context.close();
        }
    }

    /**
     * The workers. A worker polls until there are no more messages. Every 10 ms the trigger starts one idle worker, so sixteen workers are busy
     * after 160 ms, and a new message waits at most 10 ms.
     */
    static final class Pollers {

        private static final Duration POLL = Duration.ofMillis(10);
        private static final int MESSAGES_PER_POLL = 100;

        private final PollingConsumer consumer;
        private final ThreadPoolExecutor threads;

        Pollers(int count, PollingConsumer consumer, TransactionManager manager) {
            this.consumer = consumer;
            threads = new ThreadPoolExecutor(
                    count,
                    count,
                    0,
                    TimeUnit.MILLISECONDS,
                    new SynchronousQueue<>(),
                    new ThreadPoolExecutor.DiscardPolicy()); // all workers are busy already
            MatchAlwaysTransactionAttributeSource always = new MatchAlwaysTransactionAttributeSource();
            always.setTransactionAttribute(new DefaultTransactionAttribute());
            consumer.setAdviceChain(List.of(new TransactionInterceptor(manager, always)));
            consumer.setTrigger(new PeriodicTrigger(POLL));
            consumer.setTaskExecutor(threads);
            consumer.setMaxMessagesPerPoll(MESSAGES_PER_POLL);
            consumer.setReceiveTimeout(0);
            consumer.afterPropertiesSet();
        }

        void start() {
            consumer.start();
        }

        void stop() throws InterruptedException {
            consumer.stop();
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
