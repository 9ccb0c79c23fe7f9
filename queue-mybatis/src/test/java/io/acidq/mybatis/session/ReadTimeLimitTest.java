package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadTimeLimitTest {

    private static final String QUERY = "SELECT 1 FROM acidq_queue";

    private static String limited(String sql, Vendor vendor) {
        return ReadTimeLimit.within(Duration.ofMillis(2_500), () -> ReadTimeLimit.limited(sql, vendor.databaseId()));
    }

    @Test
    void limitsQueriesAsTheServerKnowsIt() {
        assertThat(limited(QUERY, Vendor.MYSQL)).isEqualTo("SELECT /*+ MAX_EXECUTION_TIME(2500) */ 1 FROM acidq_queue");
        assertThat(limited(QUERY, Vendor.MARIADB))
                .isEqualTo("SET STATEMENT max_statement_time = 2.500 FOR SELECT 1 FROM acidq_queue");
        assertThat(limited(QUERY, Vendor.H2)).isEqualTo(QUERY);
    }

    @Test
    void leavesOtherStatementsAndOtherTimesAlone() {
        String update = "UPDATE acidq_queue SET paused = 1";
        assertThat(limited(update, Vendor.MYSQL)).isEqualTo(update);
        assertThat(limited(update, Vendor.MARIADB)).isEqualTo(update);
        assertThat(ReadTimeLimit.limited(QUERY, Vendor.MYSQL.databaseId())).isEqualTo(QUERY);
        ReadTimeLimit.within(Duration.ofSeconds(1), () -> {
            assertThat(limited(QUERY, Vendor.MYSQL)).contains("2500");
            assertThat(ReadTimeLimit.limited(QUERY, Vendor.MYSQL.databaseId())).contains("(1000)");
            return null;
        });
    }
}
