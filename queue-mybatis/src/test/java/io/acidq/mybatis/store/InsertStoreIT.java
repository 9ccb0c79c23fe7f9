package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.MessageRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@EachStore
class InsertStoreIT extends StoreFixture {

    @Test
    void makesAMessageVisibleByTheCommitAndNotBefore() {
        database().transactions().run(() -> {
            enqueue.insert(List.of(queueFixture.message(0, null, "a")));
            assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
        });

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("a");
    }

    @Test
    void leavesNothingBehindAfterARollback() {
        assertThatThrownBy(() -> database().transactions().run(() -> {
                    enqueue.insert(List.of(
                            queueFixture.message(0, null, "a"),
                            queueFixture.message(0, null, "b", new Due(QueueFixture.HOUR, null))));
                    queueFixture.takeKey("k", queueFixture.message(0, null, "a").uid(), QueueFixture.HOUR);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(queueFixture.count("acidq_message")
                        + queueFixture.count("acidq_scheduled")
                        + queueFixture.count("acidq_key"))
                .isZero();
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void leavesNothingBehindAfterARollbackToASavepoint() throws Exception {
        database().transactions().run(() -> {
            enqueue.insert(List.of(queueFixture.message(0, null, "before")));
            Connection connection = database().transactions().connection();
            Savepoint savepoint = connection.setSavepoint();
            enqueue.insert(List.of(queueFixture.message(0, null, "undone")));
            connection.rollback(savepoint);
            enqueue.insert(List.of(queueFixture.message(0, null, "after")));
        });

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("before", "after");
    }

    @Test
    void keepsTheOrderGivenInManyPieces() {
        List<MessageRow> rows = IntStream.range(0, 1203)
                .mapToObj(i -> queueFixture.message(0, "k", Integer.toString(i)))
                .toList();

        database().transactions().run(() -> enqueue.insert(rows));

        List<String> claimed = new ArrayList<>();
        for (List<String> some = QueueFixture.texts(queueFixture.claim(0, 500));
                !some.isEmpty();
                some = QueueFixture.texts(queueFixture.claim(0, 500))) {
            claimed.addAll(some);
            queueFixture.execute("DELETE FROM acidq_message WHERE queue = ? AND owner <> 0", queueFixture.queue.id());
        }
        assertThat(claimed)
                .isEqualTo(IntStream.range(0, 1203).mapToObj(Integer::toString).toList());
    }

    @Test
    void keepsPayloadsOfAnySizeToTheByte() {
        byte[] large = new byte[3 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        database()
                .transactions()
                .run(() -> enqueue.insert(List.of(
                        queueFixture.message(new byte[0]),
                        queueFixture.message(large),
                        queueFixture.message(new byte[] {0, -1, 10, 13, 39, 92}))));

        List<ClaimedMessage> messages = queueFixture.claim(0, 10).messages();
        assertThat(messages.stream()
                        .map(m ->
                                m.payload() == null ? claims.content(m.claim()).payload() : m.payload()))
                .containsExactly(new byte[0], large, new byte[] {0, -1, 10, 13, 39, 92});
    }

    @Test
    void keepsAllThatBelongsToAMessage() {
        MessageRow row = queueFixture.message(5, "ö\u0000🦊", "text");
        MessageRow full = new MessageRow(
                row.queue(), 5, row.uid(), "key ä", row.orderingKey(), "Typ", "a=ü\nb=2", row.payload(), Due.NOW);
        Instant before = Instant.now().minus(QueueFixture.HOUR);
        queueFixture.enqueue(full);

        ClaimedMessage claimed = queueFixture.claimOne(5);
        assertThat(claimed.uid()).isEqualTo(row.uid());
        assertThat(claimed.key()).isEqualTo("key ä");
        assertThat(claimed.orderingKey()).isEqualTo("ö\u0000🦊");
        assertThat(claimed.type()).isEqualTo("Typ");
        assertThat(claimed.headers()).isEqualTo("a=ü\nb=2");
        assertThat(claimed.payload()).isEqualTo("text".getBytes(StandardCharsets.UTF_8));
        assertThat(claimed.enqueuedAt()).isAfter(before).isEqualTo(claimed.dueAt());
    }

    @Test
    void putsWhatIsDueLaterAmongTheScheduled() {
        queueFixture.enqueue(
                queueFixture.message(0, null, "now"),
                queueFixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)),
                queueFixture.message(0, null, "at", new Due(null, Instant.parse("2999-01-01T00:00:00Z"))),
                queueFixture.message(0, null, "no delay", new Due(Duration.ZERO, null)));

        assertThat(queueFixture.count("acidq_message")).isEqualTo(2);
        assertThat(queueFixture.count("acidq_scheduled")).isEqualTo(2);
    }

    @Test
    void countsADelayByTheDatabasesClock() {
        queueFixture.enqueue(queueFixture.message(0, null, "a", new Due(Duration.ofDays(365 * 900L), null)));

        long hours = queueFixture.number(
                "SELECT TIMESTAMPDIFF(HOUR, enqueued_at, preexec_time) FROM acidq_scheduled WHERE queue = ?",
                queueFixture.queue.id());
        assertThat(hours).isEqualTo(365 * 900L * 24);
    }

    @Test
    void keepsInstantsToTheMicrosecondWhateverTheZones() throws Exception {
        TimeZone before = TimeZone.getDefault();
        // in New York 02:30 of this day does not exist, and in Berlin 01:30 of the other one is there twice
        List<Instant> instants = List.of(
                Instant.parse("2024-03-10T07:30:00.123456Z"),
                Instant.parse("2024-03-10T02:30:00.000001Z"),
                Instant.parse("2023-10-29T00:30:00.999999Z"),
                Instant.parse("2023-10-29T01:30:00Z"));
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            database().transactions().run(() -> {
                setSessionZone();
                enqueue.insert(instants.stream()
                        .map(i -> queueFixture.message(0, null, i.toString(), new Due(null, i)))
                        .toList());
                resetSessionZone();
            });
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            store.maintenance().moveDue();

            assertThat(queueFixture.claim(0, 10).messages())
                    .extracting(m -> m.dueAt().toString())
                    .containsExactlyInAnyOrderElementsOf(
                            instants.stream().map(Instant::toString).toList());
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private void setSessionZone() throws Exception {
        String sql = database().isH2() ? "SET TIME ZONE '+05:00'" : "SET time_zone = '+05:00'";
        QueueFixture.execute(database().transactions().connection(), sql);
    }

    /** The pool keeps the connection, and the clock of H2 is that of the session's zone. */
    private void resetSessionZone() throws Exception {
        String sql = database().isH2() ? "SET TIME ZONE LOCAL" : "SET time_zone = DEFAULT";
        QueueFixture.execute(database().transactions().connection(), sql);
    }

    @Test
    void roundsDueTimesUpSoThatNothingIsEarly() {
        queueFixture.enqueue(
                queueFixture.message(0, null, "a", new Due(null, Instant.parse("2024-01-01T00:00:00.000000001Z"))));
        store.maintenance().moveDue();

        assertThat(queueFixture.claimOne(0).dueAt()).isEqualTo("2024-01-01T00:00:00.000001Z");
    }

    @Test
    void needsATransaction() {
        assertThatThrownBy(() -> enqueue.insert(List.of(queueFixture.message(0, null, "a"))))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("insert needs a transaction");
    }
}
