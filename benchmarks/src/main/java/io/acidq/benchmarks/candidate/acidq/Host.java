package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.mybatis.JdbcTransactions;
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

/** The application around AcidQ, with its pool and its transactions. Thread-safe. */
interface Host {

    DataSource pool();

    Transactions transactions();

    /** The connection of this thread's transaction. */
    Connection connection();

    /** Runs work in a transaction of the application. */
    void inTransaction(Work work) throws Exception;

    /** The work of a transaction. */
    interface Work {
        void run() throws Exception;
    }

    /** Plain Java over a pool as docs/en/configuration.md recommends. */
    static final class PlainHost implements Host {

        private final DataSource pool;
        private final JdbcTransactions transactions;

        PlainHost(CandidateDatabase database) {
            this.pool = database.tunedPool();
            this.transactions = new JdbcTransactions(pool);
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
            return transactions.connection();
        }

        @Override
        public void inTransaction(Work work) throws Exception {
            transactions.<Exception>run(work::run);
        }
    }

    /** Spring's transactions with lost transaction detection, which is the default. */
    static final class SpringHost implements Host {

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

        /** Over a pool as docs/en/configuration.md recommends. */
        static SpringHost tuned(CandidateDatabase database) {
            return over(database.tunedPool());
        }

        /** Over an untuned pool with autocommit on. */
        static SpringHost untuned(CandidateDatabase database) {
            return over(database.pool(true));
        }

        /** The host of a Spring Boot application. */
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
        public void inTransaction(Work work) throws Exception {
            TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
            try {
                work.run();
            } catch (Exception e) {
                manager.rollback(status);
                throw e;
            }
            manager.commit(status);
        }
    }
}
