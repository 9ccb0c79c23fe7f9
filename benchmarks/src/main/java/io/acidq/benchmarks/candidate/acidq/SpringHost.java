package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Spring's transactions with lost transaction detection, as by default. */
final class SpringHost implements Host {

    private final DataSource pool;
    private final PlatformTransactionManager manager;
    private final Transactions transactions;

    private SpringHost(DataSource pool, PlatformTransactionManager manager, Transactions transactions) {
        this.pool = pool;
        this.manager = manager;
        this.transactions = transactions;
    }

    private static SpringHost over(DataSource pool) {
        DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
        return new SpringHost(pool, manager, new SpringTransactions(manager, pool));
    }

    /** Over a pool as docs/en/configuration.md advises. */
    static SpringHost tuned(CandidateDatabase candidateDatabase) {
        return over(candidateDatabase.tunedPool());
    }

    /** Over a pool that nobody has tuned, with autocommit on. */
    static SpringHost untuned(CandidateDatabase candidateDatabase) {
        return over(candidateDatabase.pool(true));
    }

    /** That of an application with Spring Boot. */
    static SpringHost of(ApplicationContext context) {
        return new SpringHost(
                context.getBean(DataSource.class),
                context.getBean(PlatformTransactionManager.class),
                context.getBean(Transactions.class));
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    @Override
    public Transactions transactions() {
        return transactions;
    }

    @Override
    public Connection connection() {
        Connection connection = DataSourceUtils.getConnection(pool);
        DataSourceUtils.releaseConnection(connection, pool); // the transaction keeps it
        return connection;
    }

    @Override
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
}
