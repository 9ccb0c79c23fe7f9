package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.store.ServerStore.OpenTransaction;
import io.acidq.store.ServerStore.SessionInfo;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The settings, session and transactions of a server. */
@EachStore
class CheckupStoreIT extends StoreFixture {

    @Test
    void describesTheSessionOfItsTransactions() {
        SessionInfo session = store.server().session();
        assertThat(session.isolation()).isEqualTo("READ-COMMITTED");
        assertThat(session.url()).startsWith("jdbc:");
        assertThat(session.driver()).isNotBlank();
        assertThat(session.now()).isNotNull();
    }

    @Test
    void tellsTheSettingsThatTheServerKnows() {
        if (database().isH2()) {
            assertThat(store.server().settings(List.of("sync_binlog"))).isEmpty();
        } else {
            assertThat(store.server().settings(List.of("innodb_flush_log_at_trx_commit", "no_such_setting")))
                    .hasToString("{innodb_flush_log_at_trx_commit=1}");
        }
    }

    @Test
    void tellsWhichTransactionsHaveBeenOpenForLonger() throws Exception {
        if (database().isH2()) {
            assertThat(store.server().openTransactions(Duration.ZERO, 10)).isEmpty();
            return;
        }
        try (Connection connection = database().admin().getConnection()) {
            connection.setAutoCommit(false);
            QueueFixture.rows(connection, "SELECT id FROM acidq_queue LIMIT 1 FOR UPDATE");
            long number = ((Number) QueueFixture.connectionId(connection)).longValue();
            assertThat(store.server().openTransactions(Duration.ofHours(1), 100))
                    .isEmpty();
            await().untilAsserted(() -> assertThat(store.server().openTransactions(Duration.ZERO, 100))
                    .extracting(OpenTransaction::connection)
                    .contains(number));
            connection.rollback();
        }
    }
}
