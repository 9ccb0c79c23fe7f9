package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** An application with Spring's transactions and READ COMMITTED. Thread-safe. */
public final class SpringBasedApplication {

    private final DataSource pool;
    private final DataSourceTransactionManager manager;

    /** What runs in a transaction. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }

    private SpringBasedApplication(DataSource pool) {
        this.pool = pool;
        this.manager = new DataSourceTransactionManager(pool);
    }

    /** Over {@link CandidateDatabase#tunedPool} with autocommit on: for whoever also writes without a transaction, or is quicker so. */
    public static SpringBasedApplication withAutoCommit(CandidateDatabase candidateDatabase) {
        return new SpringBasedApplication(candidateDatabase.tunedPool(true));
    }

    /** Over {@link CandidateDatabase#tunedPool()}. */
    public static SpringBasedApplication tuned(CandidateDatabase candidateDatabase) {
        return new SpringBasedApplication(candidateDatabase.tunedPool());
    }

    public DataSource pool() {
        return pool;
    }

    public PlatformTransactionManager manager() {
        return manager;
    }

    /** That of the transaction on this thread. */
    public Connection connection() {
        Connection connection = DataSourceUtils.getConnection(pool);
        DataSourceUtils.releaseConnection(connection, pool); // the transaction keeps it
        return connection;
    }

    /** Writes the business rows, if the parcel has any; then the messages; and commits. */
    public void place(SendBatch sendBatch, Messages messages) throws Exception {
        inTransaction(() -> {
            if (sendBatch.business()) {
                BusinessRows.insert(connection(), sendBatch.messages());
            }
            messages.send(sendBatch.messages());
        });
    }

    /** Sends them in the transaction that is open on this thread. */
    @FunctionalInterface
    public interface Messages {
        void send(List<BenchmarkMessage> benchmarkMessages) throws Exception;
    }

    public void inTransaction(Body body) throws Exception {
        TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
        try {
            body.run();
        } catch (Exception e) {
            manager.rollback(status);
            throw e;
        }
        manager.commit(status);
    }

    /** Outside of any transaction of the application. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
