package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
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
        transactions.run(() -> {
            enqueue.insert(List.of(fixture.message(0, null, "a")));
            assertThat(fixture.claim(0, 10).messages()).isEmpty();
        });

        assertThat(fixture.claimTexts(0, 10)).containsExactly("a");
    }

    @Test
    void leavesNothingBehindAfterARollback() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    enqueue.insert(List.of(
                            fixture.message(0, null, "a"),
                            fixture.message(0, null, "b", new Due(QueueFixture.HOUR, null))));
                    fixture.takeKey("k", fixture.message(0, null, "a").uid(), QueueFixture.HOUR);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(fixture.count("acidq_message") + fixture.count("acidq_scheduled") + fixture.count("acidq_key"))
                .isZero();
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void leavesNothingBehindAfterARollbackToASavepoint() throws Exception {
        transactions.run(() -> {
            enqueue.insert(List.of(fixture.message(0, null, "before")));
            Connection connection = transactions.connection();
            Savepoint savepoint = connection.setSavepoint();
            enqueue.insert(List.of(fixture.message(0, null, "undone")));
            connection.rollback(savepoint);
            enqueue.insert(List.of(fixture.message(0, null, "after")));
        });

        assertThat(fixture.claimTexts(0, 10)).containsExactly("before", "after");
    }

    @Test
    void keepsTheOrderGivenInManyPieces() {
        List<MessageRow> rows = IntStream.range(0, 1203)
                .mapToObj(i -> fixture.message(0, "k", Integer.toString(i)))
                .toList();

        transactions.run(() -> enqueue.insert(rows));

        List<String> claimed = new ArrayList<>();
        for (List<String> some = fixture.claimTexts(0, 500); !some.isEmpty(); some = fixture.claimTexts(0, 500)) {
            claimed.addAll(some);
            fixture.execute("DELETE FROM acidq_message WHERE queue = ? AND owner <> 0", fixture.queueId);
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
        transactions.run(() -> enqueue.insert(List.of(
                fixture.message(new byte[0]), fixture.message(large), fixture.message(new byte[] {0, -1, 10, 13, 39, 92
                }))));

        List<ClaimedMessage> messages = fixture.claim(0, 10).messages();
        assertThat(messages.stream()
                        .map(m ->
                                m.payload() == null ? claims.content(m.claim()).payload() : m.payload()))
                .containsExactly(new byte[0], large, new byte[] {0, -1, 10, 13, 39, 92});
    }

    @Test
    void keepsAllThatBelongsToAMessage() {
        MessageRow row = fixture.message(5, "ö\u0000🦊", "text");
        MessageRow full = new MessageRow(
                row.queue(), 5, row.uid(), "key ä", row.orderingKey(), "Typ", "a=ü\nb=2", row.payload(), Due.NOW);
        Instant before = Instant.now().minus(QueueFixture.HOUR);
        fixture.enqueue(full);

        ClaimedMessage claimed = fixture.claimOne(5);
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
        fixture.enqueue(
                fixture.message(0, null, "now"),
                fixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)),
                fixture.message(0, null, "at", new Due(null, Instant.parse("2999-01-01T00:00:00Z"))),
                fixture.message(0, null, "no delay", new Due(Duration.ZERO, null)));

        assertThat(fixture.count("acidq_message")).isEqualTo(2);
        assertThat(fixture.count("acidq_scheduled")).isEqualTo(2);
    }

    @Test
    void countsADelayByTheDatabasesClock() {
        fixture.enqueue(fixture.message(0, null, "a", new Due(Duration.ofDays(365 * 900L), null)));

        long hours = fixture.number(
                "SELECT TIMESTAMPDIFF(HOUR, enqueued_at, preexec_time) FROM acidq_scheduled WHERE queue = ?",
                fixture.queueId);
        assertThat(hours).isEqualTo(365 * 900L * 24);
    }

    @Test
    void keepsInstantsToTheMicrosecondWhateverTheZones() throws Exception {
        TimeZone before = TimeZone.getDefault();
        // 02:30 of this day does not exist in New York, and 01:30 of the other day exists twice in Berlin
        List<Instant> instants = List.of(
                Instant.parse("2024-03-10T07:30:00.123456Z"),
                Instant.parse("2024-03-10T02:30:00.000001Z"),
                Instant.parse("2023-10-29T00:30:00.999999Z"),
                Instant.parse("2023-10-29T01:30:00Z"));
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            transactions.run(() -> {
                setSessionZone();
                enqueue.insert(instants.stream()
                        .map(i -> fixture.message(0, null, i.toString(), new Due(null, i)))
                        .toList());
                resetSessionZone();
            });
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            maintenance.moveDue();

            assertThat(fixture.claim(0, 10).messages())
                    .extracting(m -> m.dueAt().toString())
                    .containsExactlyInAnyOrderElementsOf(
                            instants.stream().map(Instant::toString).toList());
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private void setSessionZone() throws Exception {
        String sql = database().isH2() ? "SET TIME ZONE '+05:00'" : "SET time_zone = '+05:00'";
        QueueFixture.execute(transactions.connection(), sql);
    }

    /** Restores the time zone, because the pool keeps the connection and the clock of H2 uses the time zone of the session. */
    private void resetSessionZone() throws Exception {
        String sql = database().isH2() ? "SET TIME ZONE LOCAL" : "SET time_zone = DEFAULT";
        QueueFixture.execute(transactions.connection(), sql);
    }

    @Test
    void roundsDueTimesUpSoThatNothingIsEarly() {
        fixture.enqueue(fixture.message(0, null, "a", new Due(null, Instant.parse("2024-01-01T00:00:00.000000001Z"))));
        maintenance.moveDue();

        assertThat(fixture.claimOne(0).dueAt()).isEqualTo("2024-01-01T00:00:00.000001Z");
    }

    @Test
    void needsATransaction() {
        assertThatThrownBy(() -> enqueue.insert(List.of(fixture.message(0, null, "a"))))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("insert needs a transaction");
    }
}
