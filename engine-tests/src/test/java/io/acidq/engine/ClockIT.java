package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.testservers.FakeClock;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Cases 41 and 42 of docs/en/proof.md: the wall clock of a process, and that of the server, are moved while both work. The queues, and what each of them shows, are in
 * {@link ClockWorker}.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@ArgumentsSource(AnyServer.Servers.class)
@AnyServer(ServerKind.MYSQL)
class ClockIT extends EngineTests {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
    private static final Duration A_BIT = Duration.ofMinutes(1);
    private static final List<String> KEYS = List.of("a", "b", "c", "d");

    @Parameter
    private ServerKind kind;

    private RecordedTelemetry telemetry;

    @TempDir
    private static Path folder;

    private FakeClock serversClock;
    private PrivateServer server;
    private long placed;

    @BeforeParameterizedClassInvocation
    void startServer() {
        serversClock = FakeClock.keptIn(folder.resolve("of-the-server-" + kind));
        server = TestServers.startPrivate(kind, serversClock);
    }

    @AfterParameterizedClassInvocation
    void stopServer() {
        server.close();
        serversClock.close();
    }

    @BeforeEach
    void openDatabase() {
        telemetry = new RecordedTelemetry();
        placed = 0;
        open(server.server().createDatabase(), config -> {}, pool -> pool);
    }

    @AfterEach
    void close() {
        moveTo(Duration.ZERO);
        closeDatabase();
    }

    /** Takes some eight seconds: a process starts, and work must be done after each of three jumps. */
    @Test
    void runsEachMessageOnceInOrderAndInTimeBesideAProcessWhoseClockJumpsByDays() throws Exception {
        sql("ALTER TABLE effect ADD COLUMN off_by BIGINT NOT NULL, ADD COLUMN at DATETIME(6) NOT NULL");
        MessageQueue queue =
                Engine.builder(store).config(ClockWorker.CONFIG).build().queue();
        engine(e -> ClockWorker.listening(e, transactions, queue).telemetry(telemetry));
        transactions.run(() -> {
            queue.enqueue(ClockWorker.KEYED, new Step("taken", 1), options().key("taken"));
            queue.enqueue(ClockWorker.DOOMED, new Step("doomed", 1));
        });
        awaitDrained();
        try (FakeClock clock = FakeClock.keptIn(folder.resolve("of-a-process-" + kind))) {
            clock.move(DAY); // the cleaner first runs with this clock
            try (ClockWorker worker = new ClockWorker(pool, clock)) {
                workUntilOff(DAY);
                for (Duration shift : List.of(DAY.negated(), DAY)) {
                    clock.move(shift);
                    workUntilOff(shift);
                }
                awaitDrained();
                assertThat(worker.isAlive()).isTrue();
                assertThat(strings("SELECT state FROM acidq_node")).containsExactly("ALIVE", "ALIVE");
            }
        }
        nothingWasDoneTwiceOrBeforeItsTime();
        KEYS.forEach(this::isInOrder);
        assertThat(strings("SELECT queue FROM acidq_dead"))
                .as("kept for an hour")
                .hasSize(1);
        assertThat(rows("effect WHERE k = 'again'"))
                .as("the key is taken for an hour")
                .isZero();
        assertThat(telemetry.declaredDead).isEmpty();
        await("a key is free again after a second")
                .atMost(PATIENCE)
                .until(() -> !transactions
                        .call(() -> queue.enqueue(
                                ClockWorker.BRIEF,
                                new Step("free", 1),
                                options().key("brief 1")))
                        .isDuplicate());
    }

    /** Places work until the process with the moved clock has done some of it, by that clock. */
    private void workUntilOff(Duration shift) {
        String done = "SELECT COUNT(*) FROM effect WHERE id > "
                + count("SELECT COALESCE(MAX(id), 0) FROM effect") + " AND off_by BETWEEN "
                + shift.minus(A_BIT).toSeconds() + " AND " + shift.plus(A_BIT).toSeconds();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(150)).until(() -> {
            work();
            return count(done) > 5;
        });
    }

    private void work() throws Exception {
        long seq = ++placed;
        Duration ahead = Duration.ofMillis(300 + seq * 700 % 2000);
        transactions.run(() -> {
            for (String key : KEYS) {
                queue().enqueue(
                                ClockWorker.ORDERED,
                                new Step(key, seq),
                                options().orderingKey(key));
            }
            long due = ClockWorker.micros(transactions.connection()) + ahead.toNanos() / 1000;
            queue().enqueue(
                            ClockWorker.DUE,
                            new Step("due " + seq, due),
                            options().delay(ahead));
            queue().enqueue(ClockWorker.SENDING, new Step("sending", seq));
            if (seq % 4 == 0) {
                queue().enqueue(ClockWorker.GUARDED, new Step("guarded", seq));
            }
        });
    }

    private void nothingWasDoneTwiceOrBeforeItsTime() {
        assertThat(strings("SELECT CONCAT(k, ' ', seq) FROM effect GROUP BY k, seq HAVING COUNT(*) > 1"))
                .as("twice")
                .isEmpty();
        assertThat(rows("effect WHERE k LIKE 'due %' OR k LIKE 'later %'")).isEqualTo(2 * placed);
        assertThat(strings("SELECT CONCAT(k, ' at ', at) FROM effect WHERE (k LIKE 'due %' OR k LIKE 'later %')"
                        + " AND UNIX_TIMESTAMP(at) * 1000000 < seq"))
                .as("early")
                .isEmpty();
        assertThat(count("SELECT MAX(tag) FROM effect")).as("attempts").isEqualTo(2);
        assertThat(rows("effect WHERE k = 'sending' OR k = 'brief'")).isEqualTo(2 * placed);
        assertThat(rows("effect WHERE k = 'guarded'")).isEqualTo(placed / 4);
    }

    /**
     * What is enqueued is due by the clock of that moment, so what a jump back meets waits until it is that late again.
     * Takes some six seconds: work must be done after each jump of a server of its own.
     */
    @Test
    void takesDueTimesFromTheServersClockWhenItJumpsAndDeclaresNoNodeDead() throws Exception {
        List<Engine> engines = List.of(engine(), engine());
        List<Integer> nodes = engines.stream().map(Engine::node).toList();
        enqueue("in half an hour", HALF_AN_HOUR);
        enqueue("first", Duration.ZERO);
        place(60);
        awaitUntil(() -> has("first"));
        assertThat(has("in half an hour")).isFalse();
        moveTo(HOUR);
        place(60);
        awaitUntil(() -> has("in half an hour"));
        enqueue("in half an hour more", HALF_AN_HOUR);
        moveTo(HOUR.negated());
        place(60);
        enqueue("second", Duration.ZERO);
        awaitUntil(() -> has("second"));
        long heartbeats = heartbeats();
        awaitUntil(() -> heartbeats() > heartbeats + 20);
        assertThat(has("in half an hour more"))
                .as("due in two and a half hours by this clock")
                .isFalse();
        moveTo(HOUR.multipliedBy(2));
        awaitDrained();
        assertThat(count("SELECT COUNT(DISTINCT k, seq) FROM effect"))
                .as("each once")
                .isEqualTo(effects())
                .isEqualTo(placed * KEYS.size() + 4);
        KEYS.forEach(this::isInOrder);
        assertThat(count("SELECT MAX(tag) FROM effect"))
                .as("no attempt was used up")
                .isEqualTo(1);
        assertThat(rows("acidq_dead")).isZero();
        assertThat(telemetry.declaredDead).isEmpty();
        assertThat(engines.stream().map(Engine::node)).containsExactlyElementsOf(nodes);
    }

    private Engine engine() {
        return engine(e ->
                e.telemetry(telemetry).listen(on("moved", this::effectOfAttempt).withRetry(ONE_ATTEMPT)));
    }

    private void enqueue(String name, Duration delay) throws Exception {
        enqueue("moved", new Step(name, 1), options().delay(delay));
    }

    /** Enqueues steps of each key, which run while the clock moves. */
    private void place(int each) throws Exception {
        List<NewMessage> messages = LongStream.rangeClosed(placed + 1, placed + each)
                .boxed()
                .flatMap(seq -> KEYS.stream()
                        .map(key -> new NewMessage(new Step(key, seq), options().orderingKey(key))))
                .toList();
        placed += each;
        transactions.call(() -> queue().enqueueAll("moved", messages));
    }

    private boolean has(String name) {
        return rows("effect WHERE k = '" + name + "'") == 1;
    }

    private long heartbeats() {
        return count("SELECT SUM(heartbeats) FROM acidq_node");
    }

    /** Moves the server's clock and waits until the server shows the new time. */
    private void moveTo(Duration shift) {
        serversClock.move(shift);
        awaitUntil(() -> {
            long shown = count("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) AS SIGNED)");
            Duration off = Duration.between(Instant.now(), Instant.ofEpochSecond(shown));
            return off.minus(shift).abs().compareTo(A_BIT) < 0;
        });
    }

    private void isInOrder(String key) {
        assertThat(strings("SELECT seq FROM effect WHERE k = '" + key + "' ORDER BY id"))
                .as(key)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, placed)
                        .mapToObj(String::valueOf)
                        .toList());
    }
}
