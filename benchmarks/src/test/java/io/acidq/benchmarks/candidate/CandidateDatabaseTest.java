package io.acidq.benchmarks.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CandidateDatabaseTest {

    @Test
    void aTunedPoolHasWhatTheDocsAdvise() {
        try (CandidateDatabase candidateDatabase = at("jdbc:mysql://db/bench?useSSL=false")) {
            HikariDataSource pool = candidateDatabase.tunedPool();

            assertThat(pool.isAutoCommit()).isFalse();
            assertThat(pool.getTransactionIsolation()).isEqualTo("TRANSACTION_READ_COMMITTED");
            assertThat(pool.getMaximumPoolSize()).isEqualTo(9);
            assertThat(options(pool)).containsEntry("useLocalSessionState", "true");

            HikariDataSource committing = candidateDatabase.tunedPool(true);
            assertThat(committing.isAutoCommit()).isTrue();
            assertThat(options(committing)).containsEntry("useLocalSessionState", "true");
        }
    }

    /** Connector/J would prefer the property to the URL. */
    @Test
    void anOptionOfTheUrlWins() {
        for (String url : new String[] {
            "jdbc:mysql://db/bench?useSSL=false&useLocalSessionState=false",
            "jdbc:mysql://db/?USELOCALSESSIONSTATE = no"
        }) {
            try (CandidateDatabase candidateDatabase = at(url)) {
                assertThat(options(candidateDatabase.tunedPool())).as(url).isEmpty();
            }
        }
    }

    @Test
    void whatOnlyConnectorJKnowsIsSaidToItAlone() {
        try (CandidateDatabase candidateDatabase = at("jdbc:mariadb://db/bench")) {
            assertThat(options(candidateDatabase.tunedPool())).isEmpty();
            assertThat(candidateDatabase.tunedPool().isAutoCommit()).isFalse();
        }
    }

    private static Properties options(HikariDataSource pool) {
        return pool.getDataSourceProperties();
    }

    private static CandidateDatabase at(String url) {
        return new CandidateDatabase(new Login(url, "u", "p"), Vendor.MYSQL, new Parallelism(2, 1, 1), 9);
    }
}
