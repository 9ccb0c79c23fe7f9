package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.admin.Operator;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.store.PausableDataSource.Pause;
import io.acidq.mybatis.store.PausableDataSource.PausePoint;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.QueueStore.Cancellation;
import io.acidq.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An operator's cancel against each other change of the same message, on a real server: one of the two pauses inside its transaction, the other runs, waits or
 * skips the row, then the first commits. The answer of the cancel is compared with where the message is afterwards.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class CancelRaceStoreIT {

    private static final Duration HOUR = QueueFixture.HOUR;

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture fixture;
    private PausableDataSource pausableDataSource;
    private Side pausable;

    private record Side(Store store, JdbcTransactions transactions) {}

    /** A message, and the setup of the operations on its claim; null when it is not claimed. */
    private record CancelTarget(MessageId id, @Nullable RaceSetup setup) {}

    /** What meets the cancel. */
    private enum Other {
        CLAIM(false),
        ACK(true),
        RETRY(true),
        RETRY_IN_PLACE(true),
        SNOOZE(true),
        DEAD_LETTER(true),
        REQUEUE(true),
        RESCUE(true),
        MOVE(false),
        PARK(false),
        REPLACE(false);

        /** Whether it ends a claim. */
        private final boolean ends;

        Other(boolean ends) {
            this.ends = ends;
        }
    }

    @BeforeParameterizedClassInvocation
    void open() {
        home = kind.open();
        fixture = new QueueFixture(home);
        fixture.execute("CREATE TABLE effect (uid BINARY(16) NOT NULL, KEY (uid)) ENGINE=InnoDB");
        home.store().queues().changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        pausableDataSource = new PausableDataSource(home.dataSource());
        JdbcTransactions transactions = new JdbcTransactions(pausableDataSource.dataSource());
        pausable = new Side(MyBatisStore.over(pausableDataSource.dataSource(), transactions), transactions);
    }

    @AfterParameterizedClassInvocation
    void close() {
        home.close();
    }

    static Stream<Other> others() {
        return Stream.of(Other.values());
    }

    @ParameterizedTest
    @MethodSource("others")
    void answersTruthfullyWhenTheOtherHasNotCommitted(Other other) throws Exception {
        CancelTarget target = prepare(other);
        Side free = new Side(home.store(), home.transactions());
        // a move has several transactions, of which the first that writes holds the row
        Pause pause =
                pausableDataSource.arm(other == Other.MOVE ? PausePoint.BEFORE_WRITE : PausePoint.BEFORE_END, false);
        try {
            CompletableFuture<Boolean> first = QueueFixture.runAsync(() -> run(other, target, pausable));
            pause.await();
            CompletableFuture<Cancellation> cancel = QueueFixture.runAsync(() -> cancel(target, free));
            awaitEndOrLock(cancel);
            pause.release();
            boolean won = QueueFixture.join(first);
            check(other, target, QueueFixture.join(cancel), won);
        } finally {
            pause.release();
        }
    }

    @ParameterizedTest
    @MethodSource("others")
    void answersTruthfullyWhenItHasNotCommitted(Other other) throws Exception {
        CancelTarget target = prepare(other);
        Side free = new Side(home.store(), home.transactions());
        Pause pause = pausableDataSource.arm(PausePoint.BEFORE_END, false);
        try {
            CompletableFuture<Cancellation> cancel = QueueFixture.runAsync(() -> cancel(target, pausable));
            pause.await();
            CompletableFuture<Boolean> second = QueueFixture.runAsync(() -> run(other, target, free));
            awaitEndOrLock(second);
            pause.release();
            Cancellation answer = QueueFixture.join(cancel);
            check(other, target, answer, QueueFixture.join(second));
        } finally {
            pause.release();
        }
    }

    private Cancellation cancel(CancelTarget target, Side side) {
        return side.store().queues().cancel(fixture.queue, target.id(), new Operator("ann", "test"));
    }

    private CancelTarget prepare(Other other) throws Exception {
        for (String table : List.of("acidq_message", "acidq_scheduled", "acidq_parked", "acidq_dead", "acidq_key")) {
            fixture.execute("DELETE FROM " + table + " WHERE queue = ?", fixture.queueId);
        }
        fixture.execute("DELETE FROM acidq_cancel");
        return switch (other) {
            case CLAIM -> free(fixture.enqueue(0, null, "free"));
            case MOVE -> free(scheduled(null, new Due(null, Instant.EPOCH)));
            case REPLACE -> free(scheduled("key", new Due(HOUR, null)));
            case PARK -> {
                fixture.enqueueAll(0, "k", "head", "target", "last");
                ClaimedMessage head =
                        fixture.claimAs(fixture.node, 0, 1).messages().get(0);
                home.store().claims().deadLetterIfClaimed(head.claim(), "no", List.of());
                yield free((UUID) uid("target"));
            }
            default -> {
                String key = other == Other.RETRY_IN_PLACE || other == Other.SNOOZE ? "k" : null;
                fixture.enqueueAll(0, key, "target");
                ClaimedMessage claimed = fixture.claimAs(other == Other.RESCUE ? fixture.newNode() : fixture.node, 0, 1)
                        .messages()
                        .get(0);
                yield new CancelTarget(
                        new MessageId(fixture.queue.name(), 0, claimed.uid()),
                        new RaceSetup(fixture, claimed, List.of(), fixture.node));
            }
        };
    }

    private Object uid(String payload) {
        List<List<Object>> rows = fixture.rows(
                "SELECT uid FROM acidq_message WHERE queue = ? AND payload = ?", fixture.queueId, payload.getBytes());
        java.nio.ByteBuffer bytes =
                java.nio.ByteBuffer.wrap((byte[]) rows.get(0).get(0));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private CancelTarget free(UUID uid) {
        return new CancelTarget(new MessageId(fixture.queue.name(), 0, uid), null);
    }

    private UUID scheduled(@Nullable String key, Due due) throws Exception {
        MessageRow row = fixture.message(0, null, "target", due);
        MessageRow keyed = new MessageRow(
                row.queue(), 0, row.uid(), key, null, row.type(), row.headers(), row.payload(), row.due());
        home.transactions().run(() -> {
            if (key != null) {
                home.store()
                        .enqueue()
                        .takeKey(new KeyClaim(row.queue(), key, row.uid(), 0, due, new Window(HOUR, true)));
            }
            home.store().enqueue().insert(List.of(keyed));
        });
        return row.uid();
    }

    private boolean run(Other other, CancelTarget target, Side side) throws Exception {
        RaceSetup setup = target.setup();
        Store store = side.store();
        return switch (other) {
            case CLAIM, PARK ->
                store.claims().claimDue(fixture.request(0, 10)).messages().stream()
                        .anyMatch(m -> m.uid().equals(target.id().uid()));
            case MOVE -> !store.maintenance().moveDue().lanes().isEmpty();
            case REPLACE ->
                side.transactions().inNew(() -> {
                    KeyState found =
                            store.enqueue().lockKey(fixture.queueId, "key").orElseThrow();
                    return store.enqueue()
                            .rescheduleIfScheduled(found, found.now().plus(HOUR.multipliedBy(2)));
                });
            case ACK -> StoreOperations.ack(setup, store, side.transactions());
            case RETRY, RETRY_IN_PLACE -> StoreOperations.retry(setup, store, side.transactions());
            case SNOOZE -> store.claims().snoozeIfClaimed(setup.message(), HOUR, List.of());
            case DEAD_LETTER -> StoreOperations.deadLetter(setup, store, side.transactions());
            case REQUEUE -> StoreOperations.requeue(setup, store, side.transactions());
            case RESCUE -> StoreOperations.rescue(setup, store, side.transactions());
        };
    }

    private void check(Other other, CancelTarget target, Cancellation answer, boolean won) throws Exception {
        List<String> places = places(target);
        switch (answer) {
            case CANCELLED, GONE ->
                assertThat(places).as("places of what is " + answer).isEmpty();
            case REQUESTED -> {
                if (other.ends && other != Other.ACK && !won) {
                    RaceSetup setup = target.setup();
                    assertThat(home.store().claims().cancelIfRequested(setup.claim()))
                            .as("its node ends it")
                            .isTrue();
                    places = places(target);
                }
                assertThat(places).isEqualTo(other.ends ? List.of() : List.of("claimed"));
            }
            default -> assertThat(places).containsExactly("dead");
        }
        if (other == Other.ACK) {
            assertThat(answer == Cancellation.CANCELLED)
                    .as("cancelled although its effects are committed")
                    .isFalse();
            assertThat(won).isTrue();
        }
        if (other == Other.PARK) { // its neighbours come back
            home.store().dead().discardIfDead(QueueFixture.ANN, fixture.letters());
            List<String> left = new ArrayList<>(fixture.runAll());
            assertThat(left).containsExactly("last");
        }
    }

    private List<String> places(CancelTarget target) {
        byte[] uid = QueueFixture.bytes(target.id().uid());
        return fixture
                .rows(
                        "SELECT IF(owner = 0, 'free', 'claimed') FROM acidq_message WHERE uid = ? AND kind = 0"
                                + " UNION ALL SELECT 'scheduled' FROM acidq_scheduled WHERE uid = ?"
                                + " UNION ALL SELECT 'parked' FROM acidq_parked WHERE uid = ?"
                                + " UNION ALL SELECT 'dead' FROM acidq_dead WHERE uid = ?",
                        uid,
                        uid,
                        uid,
                        uid)
                .stream()
                .map(row -> (String) row.get(0))
                .toList();
    }

    private void awaitEndOrLock(CompletableFuture<?> second) {
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
