package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.store.Halt.Stop;
import io.acidq.mybatis.store.Meeting.Answer;
import io.acidq.mybatis.store.Meeting.Ending;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.Beats;
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
 * leaves it alone, then the first commits or is rolled back. See {@link Stage} for what meets and {@link Verb} for what must come of it.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class InterleavingIT {

    private static final List<String> TABLES =
            List.of("acidq_message", "acidq_scheduled", "acidq_parked", "acidq_dead", "acidq_death", "acidq_audit");

    @Parameter
    private StoreKind kind;

    private StoreHome home;
    private Scene scene;
    private int buried;
    private Halt halt;
    private Side halted;

    /** A store and the transactions that it takes part in. */
    private record Side(Store store, JdbcTransactions transactions) {

        static Side over(Halt halt) {
            JdbcTransactions transactions = new JdbcTransactions(halt.dataSource());
            return new Side(MyBatisStore.over(halt.dataSource(), transactions), transactions);
        }
    }

    @BeforeParameterizedClassInvocation
    void open() {
        home = kind.open();
        scene = new Scene(home);
        scene.execute("CREATE TABLE effect (uid BINARY(16) NOT NULL, KEY (uid)) ENGINE=InnoDB");
        home.store().queues().changeHeadDeath(scene.queue, DeadHeadPolicy.BLOCK);
        buried = scene.newNode();
        home.store().nodes().buryIfSilent(new Beats(buried, 0));
        halt = new Halt(home.dataSource());
        halted = Side.over(halt);
    }

    @AfterParameterizedClassInvocation
    void close() {
        home.close();
    }

    /** In a build that is not full each meeting takes place on one of the two servers, and each pair meets on both. */
    Stream<Meeting> meetings() {
        List<Meeting> all =
                Arrays.stream(Stage.values()).flatMap(Stage::meetings).toList();
        return IntStream.range(0, all.size())
                .filter(i -> FullBuild.IS_ON || i % 2 == kind.ordinal() % 2)
                .mapToObj(all::get);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("meetings")
    void endsAsIfOneHadComeAfterTheOther(Meeting meeting) throws Exception {
        meet(meeting, new Side(home.store(), home.transactions()));
    }

    /** Without it a late acknowledgement commits the effect of a claim that was lost. */
    @ParameterizedTest
    @ValueSource(strings = {"owner", "claim_no"})
    void findsAFenceThatLacksAPart(String part) {
        UnaryOperator<String> without = sql -> sql.strip().startsWith("DELETE FROM acidq_message")
                ? sql.replaceFirst("AND " + part + " = (\\?|[0-9]+)", "AND " + part + " <> -1 - $1")
                : sql;
        Side broken = Side.over(new Halt(home.dataSource(), without));
        assertThat(Stage.FREED
                        .meetings()
                        .filter(m -> m.second() == Verb.ACK && m.commits())
                        .filter(m -> isCaught(m, broken)))
                .isNotEmpty();
    }

    /** Without it the follower starts beside its head. */
    @Test
    void findsAClaimThatIsBlindToWhatRuns() {
        Side broken = Side.over(new Halt(
                home.dataSource(),
                sql -> sql.replace("(m.owner = 0 OR OCTET_LENGTH(m.order_key) > 0)", "m.owner = 0")));
        assertThat(Stage.RUNNING_ALONE
                        .meetings()
                        .filter(m -> m.second() == Verb.CLAIM && !m.commits())
                        .filter(m -> isCaught(m, broken)))
                .isNotEmpty();
    }

    private boolean isCaught(Meeting meeting, Side second) {
        try {
            meet(meeting, second);
            return false;
        } catch (AssertionError e) {
            return true;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void meet(Meeting meeting, Side other) throws Exception {
        Subject subject = prepare(meeting.stage());
        Whereabouts start = Whereabouts.of(scene, subject.uid());
        Stop stop = halt.arm(meeting.point(), !meeting.commits());
        try {
            CompletableFuture<Answer> first = Scene.aside(() -> answer(meeting.first(), subject, halted));
            stop.await();
            CompletableFuture<Answer> second = Scene.aside(() -> answer(meeting.second(), subject, other));
            awaitEndOrLock(second);
            if (meeting.mustWait()) {
                assertThat(second).as("what waits for the lock").isNotDone();
            }
            if (!meeting.sharesRows()) {
                Scene.join(second); // while the first still stands there
            }
            stop.release();
            Answer told = Scene.join(first);
            Ending ending = new Ending(told, Scene.join(second), Whereabouts.of(scene, subject.uid()));
            meeting.check(subject, start, ending);
            checkTraces(subject, meeting.winners(ending));
            if (ending.at().keepsItsPlace()) {
                checkFollowers(subject);
            }
        } finally {
            stop.release();
        }
    }

    private static Answer answer(Verb verb, Subject subject, Side side) throws Exception {
        try {
            return verb.run(subject, side.store(), side.transactions()) ? Answer.WON : Answer.LOST;
        } catch (TransientQueueException e) {
            return Answer.FAILED;
        }
    }

    /** A message that a buried node has claimed, with a follower if it has an ordering key, and what has become of it since. */
    private Subject prepare(Stage stage) throws Exception {
        home.transactions().run(() -> {
            for (String table : TABLES) {
                Scene.execute(
                        home.transactions().connection(),
                        "DELETE FROM " + table + " WHERE queue = ?",
                        scene.queue.id());
            }
            Scene.execute(
                    home.transactions().connection(),
                    "UPDATE acidq_queue SET paused = 0 WHERE id = ?",
                    scene.queue.id());
            home.store()
                    .enqueue()
                    .insert(Stream.of("head", "follower")
                            .limit(stage.orderKey() == null ? 1 : 2)
                            .map(text -> scene.message(0, stage.orderKey(), text))
                            .toList());
        });
        List<ClaimedMessage> claimed = scene.claimAs(buried, 0, stage.claimed()).messages();
        List<Claim> followers =
                claimed.stream().skip(1).map(ClaimedMessage::claim).toList();
        int claimer = stage == Stage.FREED ? buried : scene.node;
        Subject subject = new Subject(scene, claimed.get(0), followers, claimer);
        Verb before = stage.before();
        if (before != null) {
            assertThat(before.run(subject, home.store(), home.transactions())).isTrue();
        }
        return subject;
    }

    /** What the winners have written beside the message, and nobody else. */
    private void checkTraces(Subject subject, List<Verb> won) {
        int queue = scene.queue.id();
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_audit WHERE queue = ?", queue))
                .as("records of operators")
                .isEqualTo(won.stream().filter(Verb::isAudited).count());
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_death WHERE queue = ?", queue))
                .as("recorded deaths")
                .isEqualTo(won.contains(Verb.RESCUE) ? 1 : 0);
    }

    private void checkFollowers(Subject subject) {
        assertThat(scene.number(
                        "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND kind = 0 AND uid <> ? AND owner NOT IN (0, ?)",
                        scene.queue.id(),
                        Scene.bytes(subject.uid()),
                        subject.claim().owner()))
                .as("followers claimed by another before their head ended")
                .isZero();
    }

    /** Until the second one has ended, or the server says that somebody waits for a lock: that can only be the second one. */
    private void awaitEndOrLock(CompletableFuture<Answer> second) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> second.isDone() || scene.number(waits()) > 0);
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
