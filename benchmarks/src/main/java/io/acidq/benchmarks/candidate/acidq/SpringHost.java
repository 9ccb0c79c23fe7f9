package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.Site;
import io.acidq.spring.SpringTransactions;
import io.acidq.store.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Spring's transactions, with the tripwire on, as by default. */
final class SpringHost implements Host {

    private final DataSource pool;
    private final DataSourceTransactionManager manager;
    private final SpringTransactions transactions;

    private SpringHost(DataSource pool) {
        this.pool = pool;
        this.manager = new DataSourceTransactionManager(pool);
        this.transactions = new SpringTransactions(manager, pool);
    }

    /** Over a pool as docs/en/configuration.md advises. */
    static SpringHost tuned(Site site) {
        return new SpringHost(site.tunedPool());
    }

    /** Over a pool as Spring Boot makes it, with autocommit on. */
    static SpringHost untuned(Site site) {
        return new SpringHost(site.pool(true));
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
