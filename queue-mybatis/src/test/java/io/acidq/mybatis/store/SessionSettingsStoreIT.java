package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.DeadHeadPolicy;
import io.acidq.Receipt.State;
import io.acidq.Receipts.Committed;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Operator;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.Lane;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.NewReceipt;
import io.acidq.store.ReceiptStore.Result;
import io.acidq.store.ServerStore.Commits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settings of sessions that change what a statement means, or make it fail. An application sets them for all of its connections, in the URL, in the pool or
 * on the server.
 */
@EachServer
class SessionSettingsStoreIT extends StoreFixture {

    private static final Due PAST = new Due(null, Instant.parse("2024-05-05T05:05:05.123456Z"));
    private static final Due LATER = new Due(null, Instant.parse("2090-05-05T05:05:05.123456Z"));

    private static final String FOREIGN = "ö \u952e \ud83d\ude00 '\\\"";

    private HikariDataSource pool;

    private void openPool(String settings) {
        openPool(config -> config.setConnectionInitSql("SET " + settings));
    }

    private void openPool(Consumer<HikariConfig> tuning) {
        HikariConfig config = database().another(4);
        config.setUsername(database().admin().getUsername()); // some settings need a privilege
        config.setPassword(database().admin().getPassword());
        tuning.accept(config);
        pool = new HikariDataSource(config);
        StoreDatabase through = database().through(pool);
        fixture = new QueueFixture(through);
        store = through.store();
        transactions = through.transactions();
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    /** The first line is what the option --safe-updates of the command line client sets, with fewer rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql_safe_updates = 1, sql_select_limit = 1, max_join_size = 10000, sql_big_selects = 0",
                "autocommit = 0",
                "sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE,PAD_CHAR_TO_FULL_LENGTH,TRADITIONAL'",
                "sql_mode = /*!80000 'TIME_TRUNCATE_FRACTIONAL' */ /*M!100600 'TIME_ROUND_FRACTIONAL' */",
                "sql_mode = /*!80000 '' */ /*M!100600 'ORACLE' */, foreign_key_checks = 0, unique_checks = 0",
                "time_zone = '+13:00', sql_auto_is_null = 1, collation_connection = 'utf8mb4_general_ci', group_concat_max_len = 4,"
                        + " auto_increment_increment = 7, auto_increment_offset = 3, low_priority_updates = 1",
                "innodb_lock_wait_timeout = 1, lock_wait_timeout = 1,"
                        + " optimizer_switch = 'derived_merge=off,index_condition_pushdown=off,materialization=off'"
            })
    void everyKindOfStatementWorks(String settings) throws Exception {
        openPool(settings);
        runEveryKindOfStatement();
    }

    /** A driver ignores the options that only the other one knows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "maxRows=1&useCursorFetch=true&defaultFetchSize=1&netTimeoutForStreamingResults=1",
                "maxRows=1&useAffectedRows=true&rewriteBatchedStatements=true&allowMultiQueries=true&useServerPrepStmts=true&cachePrepStmts=true"
                        + "&useBulkStmts=true&useBulkStmtsForInserts=true&returnMultiValuesGeneratedIds=true&disablePipeline=true",
                "useOldAliasMetadataBehavior=true&useColumnNamesInFindColumn=true&blankTableNameMeta=true&databaseTerm=SCHEMA&useCatalogTerm=SCHEMA"
                        + "&blobsAreStrings=true&functionsNeverReturnBlobs=true&padCharsWithSpace=true&emptyStringsConvertToZero=false"
                        + "&tinyInt1isBit=false&transformedBitIsBoolean=true&yearIsDateType=false&treatMysqlDatetimeAsTimestamp=true",
                "connectionTimeZone=Etc/GMT-13&forceConnectionTimeZoneToSession=true&preserveInstants=false&sendFractionalSeconds=false"
                        + "&sendFractionalSecondsForTime=false&timezone=Etc/GMT-13&oldModeNoPrecisionTimestamp=true&zeroDateTimeBehavior=CONVERT_TO_NULL",
                "characterEncoding=latin1&jdbcCompliantTruncation=false&useLocalSessionState=true&elideSetAutoCommits=true&alwaysSendSetIsolation=false"
                        + "&autocommit=false&sessionVariables=autocommit=0&enableQueryTimeouts=false&useCompression=true&trackSessionState=true",
                "dumpQueriesOnException=true&includeInnodbStatusInDeadlockExceptions=true&includeThreadDumpInDeadlockExceptions=true"
                        + "&autoGenerateTestcaseScript=true&maxQuerySizeToLog=10&useUsageAdvisor=true&strictUpdates=true&assureReadOnly=true"
                        + "&holdResultsOpenOverStatementClose=true&dontTrackOpenResources=true&readOnlyPropagatesToServer=false"
            })
    void everyKindOfStatementWorksWithTheOptionsOfADriver(String options) throws Exception {
        openPool(config -> {
            String url = config.getJdbcUrl();
            config.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + options);
        });
        runEveryKindOfStatement();
    }

    private void runEveryKindOfStatement() throws Exception {
        Set<Object> before = Set.copyOf(settings());

        enqueue();
        take();
        replace();
        end();
        endReceipts();
        repair();
        clean();

        store.nodes().markStopped(fixture.node, QueueFixture.REGISTRATION); // returns the kept connections
        assertThat(Set.copyOf(settings()))
                .as("what the next user of a connection finds")
                .isEqualTo(before);
    }

    private void enqueue() {
        fixture.enqueueAll(0, null, "", "b");
        fixture.enqueue(fixture.message(0, null, "c", PAST), fixture.message(0, "o", "", PAST));
        assertThat(store.maintenance().moveDue().lanes()).contains(new Lane(fixture.queueId, 0));
        assertThat(store.claims().lanesWithWork(List.of(fixture.queueId))).hasSize(1);
        assertThat(fixture.claimTexts(0, 2)).containsExactly("", "b");
        fixture.enqueueAll(4, FOREIGN, FOREIGN);
        assertThat(fixture.claim(4, 1).messages()).singleElement().satisfies(message -> {
            assertThat(message.orderingKey()).isEqualTo(FOREIGN);
            assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo(FOREIGN);
        });
        transactions.run(() -> store.enqueue().insertClaimed(fixture.message(64, null, ""), fixture.node));
        assertThat(store.claims().claimedBy(fixture.node)).hasSizeGreaterThanOrEqualTo(2);
    }

    private void take() {
        List<KeyClaim> keys = List.of(claim("k1", Due.NOW), claim("k2", Due.NOW));
        assertThat(transactions.call(() -> store.enqueue().takeKeys(keys))).allMatch(holder -> holder.isEmpty());
        assertThat(transactions.call(() -> store.enqueue().takeKeys(keys))).allMatch(holder -> holder.isPresent());
        assertThat(transactions.call(() -> store.enqueue().takeKey(keys.get(0))))
                .isPresent();
        List<String> work = List.of("w1", "w2");
        assertThat(transactions.call(() -> store.inbox().takeIfFree("c" + fixture.queueId, work, QueueFixture.HOUR)))
                .isEmpty();
        assertThat(transactions.call(() -> store.inbox().takeIfFree("c" + fixture.queueId, work, QueueFixture.HOUR)))
                .hasSize(2);
    }

    private void replace() {
        List<KeyClaim> later = List.of(claim("l1", LATER), claim("l2", LATER));
        transactions.run(() -> {
            List<KeyState> taken = store.enqueue().lockKeys(later);
            store.enqueue().insert(later.stream().map(k -> message(k, "old")).toList());
            store.enqueue()
                    .writeKeys(List.of(
                            new KeyWrite(later.get(0), taken.get(0).takenAt(), 0),
                            new KeyWrite(later.get(1), taken.get(1).takenAt(), 0)));
        });
        List<Boolean> replaced = transactions.call(() -> store.enqueue().lockKeys(later).stream()
                .map(found -> store.enqueue().replaceIfScheduled(found, message(later.get(0), "")))
                .toList());
        assertThat(replaced).containsExactly(true, true);
    }

    private void end() throws Exception {
        fixture.enqueueAll(1, null, "a", "b", "c", "d");
        List<ClaimedMessage> claimed = fixture.claim(1, 10).messages();
        assertThat(claimed).hasSize(4);
        assertThat(store.claims().retryIfClaimed(claimed.get(0), Duration.ZERO, List.of()))
                .isTrue();
        assertThat(store.claims().retryIfClaimed(claimed.get(1), QueueFixture.HOUR, List.of()))
                .isTrue();
        assertThat(fixture.ack(fixture.claimOne(1).claim())).isTrue();
        assertThat(transactions.inNew(() -> store.claims()
                        .ackAllIfClaimed(
                                List.of(claimed.get(2).claim(), claimed.get(3).claim()))))
                .as("acknowledged together")
                .isEqualTo(2);
        fixture.enqueueAll(1, null, "e");
        assertThat(transactions.inNew(() ->
                        store.claims().archiveIfClaimed(fixture.claimOne(1).claim(), Duration.ZERO)))
                .isTrue();
        assertThat(store.queues().pauseIfRunning(fixture.queueId, new Operator("ann", "test")))
                .isTrue();
        assertThat(store.queues().resumeIfPaused(fixture.queueId, new Operator("ann", "test")))
                .isTrue();
    }

    private void endReceipts() throws Exception {
        List<UUID> uids = List.of(
                ReceiptStore.uid(UUID.randomUUID(), false),
                ReceiptStore.uid(UUID.randomUUID(), true),
                ReceiptStore.uid(UUID.randomUUID(), true));
        transactions.run(() -> {
            for (UUID uid : uids) {
                store.enqueue()
                        .insert(List.of(
                                new MessageRow(fixture.queueId, 3, uid, null, null, "type", "", new byte[0], Due.NOW)));
            }
            store.receipts()
                    .insert(uids.stream()
                            .map(uid -> new NewReceipt(uid, QueueFixture.HOUR))
                            .toList());
        });
        assertThat(store.receipts().committed(uids.get(0))).isEqualTo(Committed.YES);
        assertThat(fixture.ack(fixture.claimOne(3).claim())).isTrue();
        Claim withResult = fixture.claimOne(3).claim();
        assertThat(transactions.inNew(() -> store.claims().ackIfClaimed(withResult, new Result("t", new byte[0]))))
                .isTrue();
        Claim last = fixture.claimOne(3).claim();
        assertThat(transactions.inNew(() -> store.claims().ackAllIfClaimed(List.of(last))))
                .isEqualTo(1);
        for (UUID uid : uids) {
            assertThat(store.receipts().find(uid).orElseThrow().state()).isEqualTo(State.DONE);
        }
        fixture.execute("UPDATE acidq_receipt SET kept_until = CASE WHEN uid IN ("
                + uids.stream()
                        .map(uid -> "X'" + uid.toString().replace("-", "") + "'")
                        .collect(Collectors.joining(", "))
                + ") THEN UTC_TIMESTAMP(6) END"); // the other rows are of other tests
        assertThat(store.maintenance().pruneReceipts(10).rows()).isEqualTo(3);
        assertThat(store.receipts().committed(uids.get(0))).isEqualTo(Committed.NOT_TRACKED);
    }

    private void repair() {
        store.queues().changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        for (String text : List.of("x", "y", "z")) {
            fixture.database.transactions().run(() -> store.enqueue().insert(List.of(fixture.message(2, text, text))));
            store.claims().deadLetterIfClaimed(fixture.claimOne(2).claim(), "boom", List.of());
        }
        assertThat(store.dead().causes(fixture.queue, null, 10)).hasSize(1);
        assertThat(store.dead().count(fixture.queue, DeadLetterFilter.of(fixture.queue.name())))
                .isEqualTo(3);
        assertThat(store.dead().blockedKeys(fixture.queue, 10)).hasSize(3);
        assertThat(store.dead()
                        .replayIfDead(QueueFixture.ANN, fixture.letters().subList(0, 1))
                        .changed())
                .isEqualTo(1);
        assertThat(store.dead()
                        .editIfDead(QueueFixture.ANN, fixture.letters().get(0), new byte[0], null)
                        .changed())
                .isEqualTo(1);
        assertThat(store.dead()
                        .releaseIfHolding(QueueFixture.ANN, fixture.letters().get(0))
                        .changed())
                .isEqualTo(1);
        assertThat(store.dead()
                        .discardIfDead(QueueFixture.ANN, fixture.letters())
                        .changed())
                .isEqualTo(1);
        assertThat(fixture.claimTexts(2, 10)).containsExactly("x", "");
    }

    private void clean() {
        assertThat(store.nodes().heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isTrue();
        int other = fixture.newNode();
        assertThat(store.nodes().livingNodes()).extracting("node").contains(fixture.node, other);
        fixture.declareDead(other);
        assertThat(store.nodes().rescue(other, orphans -> List.of())).isEmpty();
        store.maintenance().pruneInbox(10);
        store.maintenance().pruneKeys(10);
        store.maintenance().pruneArchive(10);
        store.maintenance().pruneDead(name -> Duration.ZERO, 10);
        store.maintenance().pruneNodes(Duration.ZERO, 10);
        store.maintenance().pruneCrashes(10);
        store.maintenance().pruneAudit(Duration.ofDays(1), 10);
        assertThat(store.server().settings(List.of("sync_binlog", "log_bin"))).hasSize(2);
    }

    private KeyClaim claim(String key, Due due) {
        return new KeyClaim(fixture.queueId, key, UUID.randomUUID(), 0, due, new Window(QueueFixture.HOUR, true));
    }

    private MessageRow message(KeyClaim key, String text) {
        return new MessageRow(
                key.queue(),
                key.lane(),
                key.uid(),
                key.key(),
                null,
                "type",
                "",
                text.getBytes(StandardCharsets.UTF_8),
                key.due());
    }

    private List<Object> settings() throws SQLException {
        String limit = database().isMariaDb() ? "@@max_statement_time" : "@@max_execution_time";
        String settings =
                "SELECT CONCAT_WS(' ', @@sql_safe_updates, @@sql_select_limit, @@sql_big_selects, @@completion_type, @@sql_mode, "
                        + limit + ", @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@wait_timeout)";
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            return List.of(QueueFixture.rows(one, settings), QueueFixture.rows(two, settings));
        }
    }

    /** A bug: on MySQL each wait for a commit failed, so that an idle engine reported a failure and a recovery every few seconds. */
    @Test
    void waitsForCommitsLongerThanTheServerLetsAStatementTake() {
        openPool("/*!80000 max_execution_time = 100 */ /*M!100600 max_statement_time = 0.1 */");
        Commits never = new Commits(1L << 40, 0);

        boolean reportsCommits = store.server().lastCommit().isPresent();

        assertThat(reportsCommits).isEqualTo(!database().isMariaDb());
        assertThat(reportsCommits ? store.server().awaitCommitAfter(never, Duration.ofSeconds(1)) : Optional.of(never))
                .isPresent();
    }

    /** MySQL lets an interrupted SLEEP return 1, MariaDB lets it fail. */
    @Test
    void runsItsOwnTransactionsAndHeartbeatsWithoutATimeLimit() {
        openPool("/*!80000 max_execution_time = 50 */ /*M!100600 max_statement_time = 0.05 */");
        StoreTransactions own = fixture.database.own();

        assertThat(own.<Object>runAndKeep("test", t -> sleep(t.connection()))).hasToString("0");
        assertThat(own.<Object>read("test", t -> sleep(t.connection()))).hasToString("0");
        assertThat(own.<Object>heartbeat("test", s -> sleep(s.getConnection()))).hasToString("0");
    }

    private static Object sleep(Connection connection) {
        try {
            return QueueFixture.rows(connection, "SELECT SLEEP(0.1)").get(0).get(0);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
