package io.acidq.benchmarks.candidate;

import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** An application with Spring's transactions and READ COMMITTED. Thread-safe. */
public final class SpringBasedApplication {
    private final DataSource pool;
    private final DataSourceTransactionManager manager;

    private SpringBasedApplication(DataSource pool) {
        this.pool = pool;
        this.manager = new DataSourceTransactionManager(pool);
    }

    /** Over {@link CandidateDatabase#tunedPool} with autocommit on, for a library that also writes outside transactions or is faster so. */
    public static SpringBasedApplication withAutoCommit(CandidateDatabase database) {
        return new SpringBasedApplication(database.tunedPool(true));
    }

    /** Over {@link CandidateDatabase#tunedPool()}. */
    public static SpringBasedApplication tuned(CandidateDatabase database) {
        return new SpringBasedApplication(database.tunedPool());
    }

    public DataSource pool() {
        return pool;
    }

    public PlatformTransactionManager manager() {
        return manager;
    }

    /** The connection of this thread's transaction. */
    public Connection connection() {
        Connection connection = DataSourceUtils.getConnection(pool);
        DataSourceUtils.releaseConnection(connection, pool); // the transaction keeps it
        return connection;
    }

    /** Inserts the business rows, if any, sends the messages and commits. */
    public void send(SendBatch sendBatch, MessageSender messageSender) throws Exception {
        TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
        try {
            if (sendBatch.business()) {
                BenchmarkTables.insertBusinessRows(connection(), sendBatch.messages());
            }
            messageSender.send(sendBatch.messages());
        } catch (Exception e) {
            manager.rollback(status);
            throw e;
        }
        manager.commit(status);
    }

    /** Sends messages in the open transaction of this thread. */
    @FunctionalInterface
    public interface MessageSender {
        void send(List<BenchmarkMessage> messages) throws Exception;
    }

    /** Executes a statement outside of the application's transactions. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Starts a Spring Boot application over this pool and transaction manager, without AcidQ.
     *
     * @param configuration enables auto-configuration
     * @param properties    as in {@code application.properties}
     * @param bean          a further bean
     */
    public <T> ConfigurableApplicationContext startBoot(
            Class<?> configuration, Map<String, Object> properties, Class<T> type, T bean) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("acidq.enabled", "false");
        SpringApplication application = bootApplication(configuration, all);
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(DataSource.class, () -> pool, definition -> definition.setDestroyMethodName(""));
            beans.registerBean(PlatformTransactionManager.class, () -> manager);
            beans.registerBean(type, () -> bean);
        });
        return application.run();
    }

    /** A small Spring Boot application with a pool and a transaction manager of its own. */
    public static SpringApplication bootApplication(Class<?> configuration, Map<String, Object> properties) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        return application;
    }
}
