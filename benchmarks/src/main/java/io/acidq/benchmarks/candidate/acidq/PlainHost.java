package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;

/** Plain Java over a pool as docs/en/configuration.md advises. */
final class PlainHost implements Host {

    private final DataSource pool;
    private final JdbcTransactions transactions;

    PlainHost(CandidateDatabase candidateDatabase) {
        this.pool = candidateDatabase.tunedPool();
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
    public void inTransaction(Body body) throws Exception {
        transactions.<Exception>run(body::run);
    }
}
