package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.Window;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys in transactions at READ COMMITTED, where one statement takes a free key. */
@EachServer
class FreeKeyStoreIT extends StoreFixture {

    private final UUID first = UUID.randomUUID();
    private HikariDataSource pool;
    private EnqueueStore keys;

    @BeforeEach
    void openPool() {
        HikariConfig config = database().another(3);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        pool = new HikariDataSource(config);
        transactions = new JdbcTransactions(pool);
        keys = MyBatisStore.over(pool, transactions).enqueue();
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void takesAFreeKeyByOneStatement() throws SQLException {
        assertThat(takeAlone("a")).isEmpty(); // queries the isolation level
        transactions.run(() -> {
            List<Long> before = counts();
            assertThat(take("b", first)).isEmpty();
            assertThat(since(before)).as("look, insert, both in one").containsExactly(0L, 0L, 1L);
        });
        assertThat(takeAlone("b")).contains(new KeyHolder(first, 0));
    }

    @Test
    void readsFirstAfterADuplicateUntilAKeyIsFreeAgain() throws SQLException {
        takeAlone("a");
        transactions.run(() -> {
            List<Long> before = counts();
            assertThat(take("a", first)).isPresent();
            assertThat(since(before)).containsExactly(1L, 0L, 1L);
            before = counts();
            assertThat(take("a", first)).isPresent();
            assertThat(since(before)).containsExactly(1L, 0L, 0L);
            before = counts();
            assertThat(take("b", first)).isEmpty();
            assertThat(since(before)).containsExactly(1L, 1L, 0L);
            before = counts();
            assertThat(take("c", first)).isEmpty();
            assertThat(since(before)).containsExactly(0L, 0L, 1L);
        });
    }

    @Test
    void alwaysReadsFirstAfterATransactionOfAnotherLevel() throws SQLException {
        takeAlone("a");
        transactions.run(() -> {
            // applies to the transaction that begins with the next statement
            QueueFixture.execute(transactions.connection(), "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            assertThat(take("b", first)).isEmpty();
            List<Long> before = counts();
            assertThat(take("c", first)).isEmpty();
            assertThat(since(before)).containsExactly(1L, 1L, 0L);
        });
        assertThat(takeAlone("b")).contains(new KeyHolder(first, 0));
        takeAlone("d");
        transactions.run(() -> {
            List<Long> before = counts();
            assertThat(take("e", first)).isEmpty();
            assertThat(since(before)).containsExactly(1L, 1L, 0L);
        });
    }

    @Test
    void locksNothingWhenTheKeyIsHeld() throws SQLException {
        takeAlone("k");
        takeAlone("m");
        takeAlone("o");
        transactions.run(() -> {
            assertThat(take("m", first)).isPresent();
            try (Connection other = database().admin().getConnection()) {
                assertThat(QueueFixture.rows(
                                other,
                                "SELECT p_key FROM acidq_key WHERE queue = ? ORDER BY p_key FOR UPDATE NOWAIT",
                                fixture.queueId))
                        .hasSize(3);
            }
            CompletableFuture<Optional<KeyHolder>> beside = QueueFixture.runAsync(() -> takeAlone("l"));
            assertThat(QueueFixture.join(beside)).isEmpty();
        });
    }

    @Test
    void waitsForAnUncommittedHolderAndIsADuplicateWhenItCommits() {
        takeAlone("a");
        CompletableFuture<Optional<KeyHolder>> holder = hold(() -> take("k", first));
        CompletableFuture<Optional<KeyHolder>> second = QueueFixture.runAsync(() -> takeAlone("k"));
        fixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(holder)).isEmpty();
        assertThat(QueueFixture.join(second)).contains(new KeyHolder(first, 0));
    }

    private Optional<KeyHolder> takeAlone(String key) {
        return transactions.call(() -> take(key, UUID.randomUUID()));
    }

    private Optional<KeyHolder> take(String key, UUID uid) {
        return keys.takeKey(new KeyClaim(fixture.queueId, key, uid, 0, Due.NOW, new Window(QueueFixture.HOUR, true)));
    }

    /** The number of SELECT, INSERT, and INSERT … SELECT of this session. */
    private List<Long> counts() throws SQLException {
        return List.of(count("Com_select"), count("Com_insert"), count("Com_insert_select"));
    }

    private long count(String name) throws SQLException {
        return Long.parseLong(
                (String) QueueFixture.rows(transactions.connection(), "SHOW SESSION STATUS LIKE '" + name + "'")
                        .get(0)
                        .get(1));
    }

    private List<Long> since(List<Long> before) throws SQLException {
        List<Long> now = counts();
        return List.of(now.get(0) - before.get(0), now.get(1) - before.get(1), now.get(2) - before.get(2));
    }
}
