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
 * Every two things that can meet on one message, on a real server: one stops inside its transaction, the other runs, waits for the lock or
 * leaves it alone, then the first commits or is rolled back. See {@link StartState} for what meets and {@link MessageOperation} for what must come of it.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class InterleavingIT {

    private static final List<String> TABLES =
            List.of("acidq_message", "acidq_scheduled", "acidq_parked", "acidq_dead", "acidq_crash", "acidq_audit");

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture queueFixture;
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
        queueFixture = new QueueFixture(home);
        queueFixture.execute("CREATE TABLE effect (uid BINARY(16) NOT NULL, KEY (uid)) ENGINE=InnoDB");
        home.store().queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.BLOCK);
        deadNode = queueFixture.newNode();
        home.store().nodes().declareDeadIfSilent(new NodeHeartbeats(deadNode, 0));
        pausableDataSource = new PausableDataSource(home.dataSource());
        pausable = Side.over(pausableDataSource);
    }

    @AfterParameterizedClassInvocation
    void close() {
        home.close();
    }

    /** In a build that is not full each meeting takes place on one of the two servers, and each pair meets on both. */
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

    /** Without it a late acknowledgement commits the effect of a claim that was lost. */
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

    /** Without it the follower starts beside its head. */
    @Test
    void findsAClaimThatIsBlindToWhatRuns() {
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
        MessageSnapshot start = MessageSnapshot.of(queueFixture, raceSetup.uid());
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
                QueueFixture.join(second); // while the first still stands there
            }
            pause.release();
            OperationResult told = QueueFixture.join(first);
            RaceResult raceResult =
                    new RaceResult(told, QueueFixture.join(second), MessageSnapshot.of(queueFixture, raceSetup.uid()));
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

    /** A message that a buried node has claimed, with a follower if it has an ordering key, and what has become of it since. */
    private RaceSetup prepare(StartState startState) throws Exception {
        home.transactions().run(() -> {
            for (String table : TABLES) {
                QueueFixture.execute(
                        home.transactions().connection(),
                        "DELETE FROM " + table + " WHERE queue = ?",
                        queueFixture.queue.id());
            }
            QueueFixture.execute(
                    home.transactions().connection(),
                    "UPDATE acidq_queue SET paused = 0 WHERE id = ?",
                    queueFixture.queue.id());
            home.store()
                    .enqueue()
                    .insert(Stream.of("head", "follower")
                            .limit(startState.orderingKey() == null ? 1 : 2)
                            .map(text -> queueFixture.message(0, startState.orderingKey(), text))
                            .toList());
        });
        List<ClaimedMessage> claimed =
                queueFixture.claimAs(deadNode, 0, startState.claimed()).messages();
        List<Claim> followers =
                claimed.stream().skip(1).map(ClaimedMessage::claim).toList();
        int claimer = startState == StartState.FREED ? deadNode : queueFixture.node;
        RaceSetup raceSetup = new RaceSetup(queueFixture, claimed.get(0), followers, claimer);
        MessageOperation before = startState.before();
        if (before != null) {
            assertThat(before.run(raceSetup, home.store(), home.transactions())).isTrue();
        }
        return raceSetup;
    }

    /** What the winners have written beside the message, and nobody else. */
    private void checkTraces(RaceSetup raceSetup, List<MessageOperation> won) {
        int queue = queueFixture.queue.id();
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_audit WHERE queue = ?", queue))
                .as("records of operators")
                .isEqualTo(won.stream().filter(MessageOperation::isAudited).count());
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_crash WHERE queue = ?", queue))
                .as("recorded crashes")
                .isEqualTo(won.contains(MessageOperation.RESCUE) ? 1 : 0);
    }

    private void checkFollowers(RaceSetup raceSetup) {
        assertThat(queueFixture.number(
                        "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND kind = 0 AND uid <> ? AND owner NOT IN (0, ?)",
                        queueFixture.queue.id(),
                        QueueFixture.bytes(raceSetup.uid()),
                        raceSetup.claim().owner()))
                .as("followers claimed by another before their head ended")
                .isZero();
    }

    /** Until the second one has ended, or the server says that somebody waits for a lock: that can only be the second one. */
    private void awaitEndOrLock(CompletableFuture<OperationResult> second) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> second.isDone() || queueFixture.number(waits()) > 0);
    }

    /** Of MariaDB's server as a whole: its table of transactions shows a state that is up to a tenth of a second old. */
    private String waits() {
        return home.isMariaDb()
                ? "SELECT CAST(variable_value AS SIGNED) FROM information_schema.global_status"
                        + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'"
                : "SELECT COUNT(*) FROM performance_schema.data_lock_waits w JOIN performance_schema.threads t"
                        + " ON t.thread_id = w.requesting_thread_id WHERE t.processlist_db = DATABASE()";
    }
}
