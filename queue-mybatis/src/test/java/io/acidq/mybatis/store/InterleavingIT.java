package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.store.PausableDataSource.Pause;
import io.acidq.mybatis.store.RaceCase.OperationResult;
import io.acidq.mybatis.store.RaceCase.RaceResult;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.Store;
import io.acidq.testservers.FullBuild;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every pair of operations on one message on a real server: one pauses inside its transaction, the other runs, waits for the lock or
 * skips the rows, then the first commits or rolls back. {@link StartState} defines the pairs and {@link MessageOperation} the expected results.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class InterleavingIT {

    private static final List<String> TABLES =
            List.of("acidq_message", "acidq_scheduled", "acidq_parked", "acidq_dead", "acidq_crash", "acidq_audit");

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture fixture;
    private int deadNode;
    private PausableDataSource pausableDataSource;
    private Side pausable;

    /** A store and the transactions that it takes part in. */
    private record Side(Store store, JdbcTransactions transactions) {

        static Side over(PausableDataSource pausableDataSource) {
            JdbcTransactions transactions = new JdbcTransactions(pausableDataSource.dataSource());
            return new Side(MyBatisStore.over(pausableDataSource.dataSource(), transactions), transactions);
        }
    }

    @BeforeParameterizedClassInvocation
    void open() {
        home = kind.open();
        fixture = new QueueFixture(home);
        fixture.execute("CREATE TABLE effect (uid BINARY(16) NOT NULL, KEY (uid)) ENGINE=InnoDB");
        home.store().queues().changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.BLOCK);
        deadNode = fixture.newNode();
        home.store().nodes().declareDeadIfSilent(new NodeHeartbeats(deadNode, 0));
        pausableDataSource = new PausableDataSource(home.dataSource());
        pausable = Side.over(pausableDataSource);
    }

    @AfterParameterizedClassInvocation
    void close() {
        home.close();
    }

    /** Outside of a full build each case runs on one of the two servers. */
    Stream<RaceCase> raceCases() {
        List<RaceCase> all = Arrays.stream(StartState.values())
                .flatMap(StartState::raceCases)
                .toList();
        return IntStream.range(0, all.size())
                .filter(i -> FullBuild.IS_ON || i % 2 == kind.ordinal() % 2)
                .mapToObj(all::get);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("raceCases")
    void endsAsIfOneHadComeAfterTheOther(RaceCase raceCase) throws Exception {
        runRace(raceCase, new Side(home.store(), home.transactions()));
    }

    /** Without this part a late acknowledgement commits the effects of a lost claim. */
    @ParameterizedTest
    @ValueSource(strings = {"owner", "claim_no"})
    void findsAFenceThatLacksAPart(String part) {
        UnaryOperator<String> without = sql -> sql.strip().startsWith("DELETE FROM acidq_message")
                ? sql.replaceFirst("AND " + part + " = (\\?|[0-9]+)", "AND " + part + " <> -1 - $1")
                : sql;
        Side broken = Side.over(new PausableDataSource(home.dataSource(), without));
        assertThat(StartState.FREED
                        .raceCases()
                        .filter(m -> m.second() == MessageOperation.ACK && m.commits())
                        .filter(m -> isCaught(m, broken)))
                .isNotEmpty();
    }

    /** Such a claim starts the follower concurrently with its head. */
    @Test
    void findsAClaimThatIgnoresRunningMessages() {
        Side broken = Side.over(new PausableDataSource(
                home.dataSource(),
                sql -> sql.replace("(m.owner = 0 OR OCTET_LENGTH(m.order_key) > 0)", "m.owner = 0")));
        assertThat(StartState.RUNNING_ALONE
                        .raceCases()
                        .filter(m -> m.second() == MessageOperation.CLAIM && !m.commits())
                        .filter(m -> isCaught(m, broken)))
                .isNotEmpty();
    }

    private boolean isCaught(RaceCase raceCase, Side second) {
        try {
            runRace(raceCase, second);
            return false;
        } catch (AssertionError e) {
            return true;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void runRace(RaceCase raceCase, Side other) throws Exception {
        RaceSetup raceSetup = prepare(raceCase.startState());
        MessageSnapshot start = MessageSnapshot.of(fixture, raceSetup.uid());
        Pause pause = pausableDataSource.arm(raceCase.pausePoint(), !raceCase.commits());
        try {
            CompletableFuture<OperationResult> first =
                    QueueFixture.runAsync(() -> answer(raceCase.first(), raceSetup, pausable));
            pause.await();
            CompletableFuture<OperationResult> second =
                    QueueFixture.runAsync(() -> answer(raceCase.second(), raceSetup, other));
            awaitEndOrLock(second);
            if (raceCase.mustWait()) {
                assertThat(second).as("what waits for the lock").isNotDone();
            }
            if (!raceCase.sharesRows()) {
                QueueFixture.join(second); // while the first is still paused
            }
            pause.release();
            OperationResult told = QueueFixture.join(first);
            RaceResult raceResult =
                    new RaceResult(told, QueueFixture.join(second), MessageSnapshot.of(fixture, raceSetup.uid()));
            raceCase.check(raceSetup, start, raceResult);
            checkTraces(raceSetup, raceCase.winners(raceResult));
            if (raceResult.snapshot().keepsItsPlace()) {
                checkFollowers(raceSetup);
            }
        } finally {
            pause.release();
        }
    }

    private static OperationResult answer(MessageOperation messageOperation, RaceSetup raceSetup, Side side)
            throws Exception {
        try {
            return messageOperation.run(raceSetup, side.store(), side.transactions())
                    ? OperationResult.WON
                    : OperationResult.LOST;
        } catch (TransientQueueException e) {
            return OperationResult.FAILED;
        }
    }

    /** Enqueues a message that a dead node has claimed, with a follower if it has an ordering key, and runs the first operation on it. */
    private RaceSetup prepare(StartState startState) throws Exception {
        home.transactions().run(() -> {
            for (String table : TABLES) {
                QueueFixture.execute(
                        home.transactions().connection(), "DELETE FROM " + table + " WHERE queue = ?", fixture.queueId);
            }
            QueueFixture.execute(
                    home.transactions().connection(),
                    "UPDATE acidq_queue SET paused = 0 WHERE id = ?",
                    fixture.queueId);
            home.store()
                    .enqueue()
                    .insert(Stream.of("head", "follower")
                            .limit(startState.orderingKey() == null ? 1 : 2)
                            .map(text -> fixture.message(0, startState.orderingKey(), text))
                            .toList());
        });
        List<ClaimedMessage> claimed =
                fixture.claimAs(deadNode, 0, startState.claimed()).messages();
        List<Claim> followers =
                claimed.stream().skip(1).map(ClaimedMessage::claim).toList();
        int claimer = startState == StartState.FREED ? deadNode : fixture.node;
        RaceSetup raceSetup = new RaceSetup(fixture, claimed.get(0), followers, claimer);
        MessageOperation before = startState.before();
        if (before != null) {
            assertThat(before.run(raceSetup, home.store(), home.transactions())).isTrue();
        }
        return raceSetup;
    }

    /** Checks the audit log and the crashes: only winners have written them. */
    private void checkTraces(RaceSetup raceSetup, List<MessageOperation> won) {
        int queue = fixture.queueId;
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_audit WHERE queue = ?", queue))
                .as("records of operators")
                .isEqualTo(won.stream().filter(MessageOperation::isAudited).count());
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_crash WHERE queue = ?", queue))
                .as("recorded crashes")
                .isEqualTo(won.contains(MessageOperation.RESCUE) ? 1 : 0);
    }

    private void checkFollowers(RaceSetup raceSetup) {
        assertThat(fixture.number(
                        "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND kind = 0 AND uid <> ? AND owner NOT IN (0, ?)",
                        fixture.queueId,
                        QueueFixture.bytes(raceSetup.uid()),
                        raceSetup.claim().owner()))
                .as("followers claimed by another before their head ended")
                .isZero();
    }

    /** Waits until the second operation has ended or the server reports a lock wait, which can only be that of the second operation. */
    private void awaitEndOrLock(CompletableFuture<OperationResult> second) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> second.isDone() || fixture.number(waits()) > 0);
    }

    /** A status of the whole server on MariaDB, whose table of transactions is up to a tenth of a second old. */
    private String waits() {
        return home.isMariaDb()
                ? "SELECT CAST(variable_value AS SIGNED) FROM information_schema.global_status"
                        + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'"
                : "SELECT COUNT(*) FROM performance_schema.data_lock_waits w JOIN performance_schema.threads t"
                        + " ON t.thread_id = w.requesting_thread_id WHERE t.processlist_db = DATABASE()";
    }
}
