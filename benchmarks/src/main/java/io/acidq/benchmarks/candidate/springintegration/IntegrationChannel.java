package io.acidq.benchmarks.candidate.springintegration;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Peer;
import io.acidq.benchmarks.candidate.RowCount;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.Vendor;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
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

/**
 * A queue channel of Spring Integration over {@link JdbcChannelMessageStore}: a poll receives a message, and handles and deletes it in one
 * transaction. 7.0.5: the registry lacks the release that Spring Boot manages.
 *
 * <ul>
 *   <li>The store for channels, with the queries for MySQL, which skip locked rows, and thus without the cache of ids, which is for databases
 *       that cannot (docs.spring.io/spring-integration/reference/jdbc/message-store.html, "Backing Message Channels", "Concurrent Polling").
 *   <li>A poller with a task executor and a transaction with READ COMMITTED, as on that page.
 *   <li>The tables of its script schema-mysql.sql, without the optional index for priorities.
 * </ul>
 */
public final class IntegrationChannel {

    private static final int AT_ONCE = 1000;

    /** In what Java has serialized: nothing else there is twelve digits long. */
    private static final String DIGITS = "REGEXP_SUBSTR(CONVERT(MESSAGE_CONTENT USING latin1), '[0-9]{12}')";

    private IntegrationChannel() {}

    public static Candidate candidate() {
        return new Peer(
                "spring-integration",
                true,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE, Capability.OTHER_PROCESS),
                List.of("int_"),
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

        IntegrationAdapter(CandidateDatabase candidateDatabase) throws SQLException {
            spring = quickest(candidateDatabase);
            createTables();
            JdbcChannelMessageStore store = new JdbcChannelMessageStore(spring.pool());
            store.setChannelMessageStoreQueryProvider(new MySqlChannelMessageStoreQueryProvider());
            store.afterPropertiesSet();
            channel = new QueueChannel(new MessageGroupQueue(store, "letters"));
            channel.setBeanFactory(context);
            channel.setBeanName("letters");
            channel.afterPropertiesSet();
        }

        /** With autocommit off it was quicker on MySQL by a third, and slower on MariaDB by a fifth. */
        private static SpringBasedApplication quickest(CandidateDatabase candidateDatabase) {
            return candidateDatabase.vendor() == Vendor.MYSQL
                    ? SpringBasedApplication.tuned(candidateDatabase)
                    : SpringBasedApplication.withAutoCommit(candidateDatabase);
        }

        /** Its script does not ask whether they are there. */
        private void createTables() throws SQLException {
            String there =
                    "information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'INT_CHANNEL_MESSAGE'";
            if (RowCount.of(spring.pool(), there) == 0) {
                new ResourceDatabasePopulator(
                                new ClassPathResource("org/springframework/integration/jdbc/schema-mysql.sql"))
                        .execute(spring.pool());
            }
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.place(sendBatch, benchmarkMessages -> benchmarkMessages.forEach(this::send));
        }

        private void send(BenchmarkMessage benchmarkMessage) {
            channel.send(new GenericMessage<>(benchmarkMessage.text()));
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                send(new SendBatch(backlog.part(first, AT_ONCE), false));
            }
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
                throw new IllegalStateException("the handler has failed", e);
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
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(spring.pool(), DIGITS, "INT_CHANNEL_MESSAGE", letters);
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
}
