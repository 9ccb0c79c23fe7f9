package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.telemetry.QueueState.Suspect;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One message ends real processes, and only that message is quarantined. */
@AnyServer(ServerKind.MYSQL)
class SuspectIT extends FreshEngineTests {

    private static final String Q = "deadly";
    private static final int MESSAGES = 60;

    private final Queue<CountedCrash> crashes = new ConcurrentLinkedQueue<>();
    private final Queue<String> quarantined = new ConcurrentLinkedQueue<>();

    private record CountedCrash(MessageId id, int node, int crashes) {}

    /** Takes some six seconds: three processes start one after the other, and each death must be noticed before the next. */
    @Test
    void quarantinesOnlyTheFatalMessageWhenTenMessagesShareATransaction() throws Exception {
        killThreeProcesses(HandlerOptions.defaults().withTransactionSize(10), 30);
        assertEachEffectOnce(MESSAGES - 1);
    }

    @Test
    @Tag("full")
    void quarantinesOnlyTheFatalMessageInExternalMode() throws Exception {
        killThreeProcesses(HandlerOptions.defaults().withMode(HandlerMode.EXTERNAL), 3);
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect"))
                .as("each effect at least once")
                .isEqualTo(MESSAGES - 1);
    }

    /** A suspect that waited for a handler of 25 s kept idle workers from starting other messages. */
    @Test
    void runsOtherMessagesWhileASuspectWaitsForALongHandler() throws Exception {
        CountDownLatch longEnds = new CountDownLatch(1);
        CountDownLatch longRuns = new CountDownLatch(1);
        listen(on(Q, (step, delivery) -> {
                    if (step.k().equals("long")) {
                        longRuns.countDown();
                        longEnds.await();
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(4));
        enqueue(Q, new Step("long", 1));
        assertThat(longRuns.await(30, TimeUnit.SECONDS)).isTrue();
        enqueue(Q, new Step("suspect", 1), options().delay(Duration.ofMillis(300)));
        sql("UPDATE acidq_scheduled SET crashes = 1");
        awaitRows("acidq_message WHERE crashes = 1 AND owner <> 0", 1);
        for (int i = 0; i < 50; i++) {
            enqueue(Q, new Step("others", i));
        }
        awaitRows("effect WHERE k = 'others'", 50);
        assertThat(effects()).as("neither the suspect nor the long one").isEqualTo(50);
        longEnds.countDown();
        awaitDrained();
        assertThat(effects()).isEqualTo(52);
    }

    private void killThreeProcesses(HandlerOptions options, int atOnce) throws Exception {
        MessageId killer = place();
        watch();
        for (int crash = 1; crash <= 3; crash++) {
            int count = crash;
            try (CrashingEngineProcess victim = new CrashingEngineProcess(pool, Q, options)) {
                victim.awaitExit();
            }
            awaitUntil(() -> crashes.stream().anyMatch(d -> d.id().equals(killer) && d.crashes() == count));
        }
        runTheRest();

        assertThat(crashes.stream()
                        .filter(d -> d.crashes() == 1)
                        .collect(groupingBy(CountedCrash::node, mapping(CountedCrash::id, toSet())))
                        .values())
                .as("no more of a process than can have been running there")
                .allSatisfy(ids -> assertThat(ids).hasSizeLessThanOrEqualTo(atOnce));
        assertThat(crashes.stream().filter(d -> d.crashes() > 1).map(CountedCrash::id))
                .as("the fatal message ran alone from then on")
                .containsExactly(killer, killer);
        assertNoAttemptUsedUp();
        assertThat(deadLetters().list(Q, 10)).hasSize(1).first().satisfies(d -> tells(d, killer));
        assertThat(rows("acidq_crash WHERE uid = (SELECT uid FROM acidq_dead)")).isZero();
    }

    private void tells(DeadLetter dead, MessageId killer) {
        assertThat(dead.id()).isEqualTo(killer);
        assertThat(dead.crashes()).isEqualTo(3);
        List<String> lines = dead.error().lines().toList();
        assertThat(lines.get(0)).isEqualTo("killed 3 processes: each ended while it ran this message");
        List<Integer> nodes = crashes.stream()
                .filter(d -> d.id().equals(killer))
                .map(CountedCrash::node)
                .toList();
        assertThat(lines).hasSize(4);
        for (int i = 0; i < 3; i++) {
            assertThat(lines.get(i + 1)).matches("node " + nodes.get(i) + " \\(host \\d+@.+, \\d{4}-.+Z\\)");
        }
        assertThat(quarantined).containsExactly(dead.error());
    }

    private MessageId place() throws Exception {
        List<NewMessage> messages = LongStream.range(0, MESSAGES)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        return transactions
                .call(() -> queue().enqueueAll(Q, messages))
                .get((int) CrashingEngineProcess.KILLER)
                .id();
    }

    /** Starts an engine that survives, and runs none of the messages. */
    private void watch() {
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void suspected(MessageId id, int node, int count) {
                        crashes.add(new CountedCrash(id, node, count));
                    }

                    @Override
                    public void quarantined(MessageId id, String error) {
                        quarantined.add(error);
                    }
                })
                .listen(on("quiet", (step, delivery) -> Outcome.done())));
    }

    private void runTheRest() {
        listen(on(Q, (step, delivery) -> {
                    return effectOfAttempt(step, delivery);
                })
                .withRetry(ONE_ATTEMPT));
        awaitDrained();
    }

    @Test
    void showsTheSuspectThatRuns() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        MessageId id =
                enqueue(Q, new Step("m", 1), io.acidq.EnqueueOptions.options()).id();
        sql("UPDATE acidq_message SET crashes = 1");
        Engine engine = listen(Q, (step, delivery) -> {
            inside.countDown();
            go.await();
            return Outcome.done();
        });
        inside.await();
        assertThat(engine.queues().get(0).suspect()).contains(new Suspect(id, 1, true));
        go.countDown();
        awaitDrained();
        awaitUntil(() -> engine.queues().get(0).suspect().isEmpty());
    }

    /** A process with an engine that one of its messages ends: the step {@link #KILLER}. Every other step leaves its effect. */
    static final class CrashingEngineProcess extends EngineProcess {

        static final long KILLER = 25;

        CrashingEngineProcess(HikariDataSource database, String queue, HandlerOptions options) {
            super(
                    CrashingEngineProcess.class,
                    database,
                    queue,
                    options.mode().name(),
                    Integer.toString(options.transactionSize()));
        }

        /** {@code args} are URL, user and password, queue, mode, and size of a transaction. */
        public static void main(String[] args) throws Exception {
            HikariDataSource pool = pool(args, 12);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            HandlerOptions options = HandlerOptions.defaults()
                    .withMode(HandlerMode.valueOf(args[4]))
                    .withTransactionSize(Integer.parseInt(args[5]));
            Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(QUICK)
                    .listen(Listener.on(args[3], Step.class, (step, delivery) -> {
                                if (step.seq() == KILLER) {
                                    Runtime.getRuntime().halt(137);
                                }
                                return effect(pool, transactions, step, delivery);
                            })
                            .withConcurrency(3)
                            .withOptions(options)
                            .withRetry(ONE_ATTEMPT))
                    .build()
                    .start();
            Thread.currentThread().join(); // until the fatal message or the test ends it
        }

        private static Outcome effect(
                HikariDataSource pool, JdbcTransactions transactions, Step step, Delivery delivery)
                throws SQLException {
            if (transactions.current() != null) {
                insertEffect(transactions.connection(), step, delivery.attempt());
            } else { // in external mode
                try (Connection own = pool.getConnection()) {
                    insertEffect(own, step, delivery.attempt());
                }
            }
            return Outcome.done();
        }
    }
}
