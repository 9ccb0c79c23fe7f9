package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.store.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;

/** The application around AcidQ: whose transactions there are. Thread-safe. */
interface Host {

    DataSource pool();

    Transactions transactions();

    /** That of the transaction on this thread. */
    Connection connection();

    /** Runs it in a transaction of the application. */
    void inTransaction(Body body) throws Exception;

    /** What runs in a transaction. */
    interface Body {
        void run() throws Exception;
    }

    /** Makes one. */
    interface HostFactory {
        Host open(CandidateDatabase candidateDatabase);
    }
}
