package io.acidq.benchmarks.candidate.acidq;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;

/** Plain Java over a pool as docs/en/configuration.md advises: autocommit off, READ COMMITTED. */
final class PlainHost implements Host {

    private final DataSource pool;
    private final JdbcTransactions transactions;

    PlainHost(Site site) {
        this.pool = pool(site);
        this.transactions = new JdbcTransactions(pool);
    }

    static DataSource pool(Site site) {
        HikariDataSource pool = site.pool(false);
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return pool;
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
    public void inTransaction(Body body) throws Exception {
        transactions.<Exception>run(body::run);
    }
}
