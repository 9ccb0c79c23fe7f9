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
interface BenchmarkApplication {

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
    static final class PlainJavaApplication implements BenchmarkApplication {

        private final DataSource pool;
        private final JdbcTransactions transactions;

        PlainJavaApplication(CandidateDatabase database) {
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
    static final class SpringManagedApplication implements BenchmarkApplication {

        private final DataSource pool;
        private final PlatformTransactionManager manager;
        private final Transactions transactions;

        private SpringManagedApplication(
                DataSource pool, PlatformTransactionManager manager, Transactions transactions) {
            this.pool = pool;
            this.manager = manager;
            this.transactions = transactions;
        }

        private static SpringManagedApplication over(DataSource pool) {
            DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
            return new SpringManagedApplication(pool, manager, new SpringTransactions(manager, pool));
        }

        /** Over a pool as docs/en/configuration.md recommends. */
        static SpringManagedApplication tuned(CandidateDatabase database) {
            return over(database.tunedPool());
        }

        /** Over an untuned pool with autocommit on. */
        static SpringManagedApplication untuned(CandidateDatabase database) {
            return over(database.pool(true));
        }

        /** Uses the pool and the transactions of a Spring Boot application. */
        static SpringManagedApplication of(ApplicationContext context) {
            return new SpringManagedApplication(
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
