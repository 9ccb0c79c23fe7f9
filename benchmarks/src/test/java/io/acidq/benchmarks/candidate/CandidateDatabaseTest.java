package io.acidq.benchmarks.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.CandidateDatabase.Vendor;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CandidateDatabaseTest {

    @Test
    void aTunedPoolHasTheRecommendedSettings() {
        try (CandidateDatabase database = at("jdbc:mysql://db/bench?useSSL=false")) {
            HikariDataSource pool = database.tunedPool();

            assertThat(pool.isAutoCommit()).isFalse();
            assertThat(pool.getTransactionIsolation()).isEqualTo("TRANSACTION_READ_COMMITTED");
            assertThat(pool.getMaximumPoolSize()).isEqualTo(9);
            assertThat(options(pool)).containsEntry("useLocalSessionState", "true");

            HikariDataSource committing = database.tunedPool(true);
            assertThat(committing.isAutoCommit()).isTrue();
            assertThat(options(committing)).containsEntry("useLocalSessionState", "true");
        }
    }

    /** A property of the pool would override the URL. */
    @Test
    void keepsTheOptionOfTheUrl() {
        for (String url : new String[] {
            "jdbc:mysql://db/bench?useSSL=false&useLocalSessionState=false",
            "jdbc:mysql://db/?USELOCALSESSIONSTATE = no"
        }) {
            try (CandidateDatabase database = at(url)) {
                assertThat(options(database.tunedPool())).as(url).isEmpty();
            }
        }
    }

    @Test
    void aPoolForMariaDbHasNoOptionOfConnectorJ() {
        try (CandidateDatabase database = at("jdbc:mariadb://db/bench")) {
            assertThat(options(database.tunedPool())).isEmpty();
            assertThat(database.tunedPool().isAutoCommit()).isFalse();
        }
    }

    private static Properties options(HikariDataSource pool) {
        return pool.getDataSourceProperties();
    }

    private static CandidateDatabase at(String url) {
        return new CandidateDatabase(new DatabaseLogin(url, "u", "p"), Vendor.MYSQL, new Parallelism(2, 1, 1), 9);
    }
}
