package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.DeadLetterSlice;
import io.acidq.store.DeadLetterStore.Cause;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries for dead letters. */
@EachStore
class DeadLetterStoreIT extends StoreFixture {

    private DeadLetterFilter all;

    @BeforeEach
    void openLetters() {
        all = DeadLetterFilter.of(fixture.queue.name());
    }

    @Test
    void listsTheOldestOfTheQueueFirst() {
        fixture.deadLetter("a");
        fixture.deadLetter("b");
        fixture.deadLetter("c");

        List<DeadLetter> oldest = fixture.deadLetters(2);
        assertThat(texts(oldest)).containsExactly("a", "b");
        assertThat(oldest.get(0).id().queue()).isEqualTo(fixture.queue.name());
        assertThat(new QueueFixture(database()).deadLetters(10)).isEmpty();
    }

    @Test
    void listsPagesAlsoOfOneMicrosecondWithNewLettersLast() {
        for (int i = 0; i < 7; i++) {
            fixture.deadLetter("m" + i);
        }
        fixture.execute(
                "UPDATE acidq_dead SET died_at = ? WHERE queue = ?",
                java.time.LocalDateTime.of(2026, 1, 1, 0, 0),
                fixture.queueId);

        List<String> seen = new ArrayList<>();
        DeadLetterPage page = DeadLetterPage.first(3);
        List<DeadLetter> letters = dead.list(fixture.queue, all, page);
        fixture.deadLetter("late");
        while (!letters.isEmpty()) {
            seen.addAll(texts(letters));
            page = page.after(letters.get(letters.size() - 1));
            letters = dead.list(fixture.queue, all, page);
        }

        assertThat(seen).hasSize(8).doesNotHaveDuplicates().endsWith("late");
    }

    @Test
    void findsByCauseTypeKeysAndTime() {
        fixture.deadLetter("x", "k", "o", "timeout after 5 s");
        fixture.deadLetter("y", "l", "o", "timeout after 31 s");
        fixture.deadLetter("z", null, null, "no stock\nof article 5");
        List<DeadLetter> letters = fixture.deadLetters(10);
        String timeout = letters.get(0).cause();
        Instant second = letters.get(1).diedAt();

        assertThat(found(all.withCause(timeout))).containsExactly("x", "y");
        assertThat(found(all.withType("type"))).containsExactly("x", "y", "z");
        assertThat(found(all.withType("other"))).isEmpty();
        assertThat(found(all.withKey("l"))).containsExactly("y");
        assertThat(found(all.withKey("L"))).isEmpty();
        assertThat(found(all.withOrderingKey("o"))).containsExactly("x", "y");
        assertThat(found(all.diedBetween(second, Instant.parse("9000-01-01T00:00:00Z"))))
                .containsExactly("y", "z");
        assertThat(found(all.diedBetween(Instant.EPOCH, second))).containsExactly("x");
        assertThat(found(all.diedBetween(second.plusNanos(1), Instant.parse("9000-01-01T00:00:00Z"))))
                .containsExactly("z");
        assertThat(found(all.withCause(timeout).withKey("k").withType("type").withOrderingKey("o")))
                .containsExactly("x");
    }

    @Test
    void listsPagesWithTheNewestFirst() {
        for (int i = 0; i < 5; i++) {
            fixture.deadLetter("m" + i);
        }
        fixture.letters()
                .subList(1, 3)
                .forEach(letter -> fixture.execute(
                        "UPDATE acidq_dead SET died_at = ? WHERE queue = ? AND uid = ?",
                        java.time.LocalDateTime.of(2026, 1, 1, 0, 0),
                        fixture.queueId,
                        QueueFixture.bytes(letter.uid())));

        List<String> seen = new ArrayList<>();
        DeadLetterPage page = DeadLetterPage.newestFirst(2);
        List<DeadLetter> letters = dead.list(fixture.queue, all, page);
        while (!letters.isEmpty()) {
            seen.addAll(texts(letters));
            page = page.after(letters.get(letters.size() - 1));
            letters = dead.list(fixture.queue, all, page);
        }

        assertThat(seen).startsWith("m4", "m3", "m0").hasSize(5).contains("m1", "m2");
    }

    @Test
    void aSliceLooksAtALimitedNumberOfLettersAndContinuesThere() {
        for (int i = 0; i < 7; i++) {
            fixture.deadLetter("m" + i, i % 3 == 0 ? "k" + i : null, null, "mark");
        }
        DeadLetterFilter m0 = all.withKey("k0");

        DeadLetterSlice first = dead.slice(fixture.queue, m0, DeadLetterPage.newestFirst(5), 3);
        assertThat(first.letters()).isEmpty();
        assertThat(first.scanned()).hasValue(3);
        List<String> seen = new ArrayList<>();
        DeadLetterSlice slice = first;
        while (slice.next().isPresent()) {
            slice = dead.slice(fixture.queue, m0, slice.next().get(), 3);
            seen.addAll(texts(slice.letters()));
        }
        assertThat(seen).containsExactly("m0");
        assertThat(slice.scanned()).isEmpty();

        DeadLetterSlice oldest = dead.slice(fixture.queue, all, DeadLetterPage.first(5), 3);
        assertThat(texts(oldest.letters())).as("an index answers it").containsExactly("m0", "m1", "m2", "m3", "m4");
        assertThat(texts(dead.slice(fixture.queue, all, oldest.next().orElseThrow(), 3)
                        .letters()))
                .containsExactly("m5", "m6");
        assertThat(dead.count(fixture.queue, all, 3)).isEqualTo(3);
        assertThat(dead.count(fixture.queue, m0, 3)).isEqualTo(1);
    }

    @Test
    void findsTheCausesWithTheirFirstAndLastLetters() {
        fixture.deadLetter("a", null, null, "no stock");
        fixture.deadLetter("b", null, null, "timeout after 5 s\nat somewhere");
        fixture.deadLetter("c", null, null, "timeout after 31 s\nat somewhere else");
        List<DeadLetter> letters = fixture.deadLetters(10);
        Cause noStock = new Cause(
                letters.get(0).cause(), letters.get(0).diedAt(), letters.get(0).diedAt(), "no stock", "type");
        Cause timeout = new Cause(
                letters.get(1).cause(), letters.get(1).diedAt(), letters.get(2).diedAt(), "timeout after 31 s", "type");

        assertThat(dead.causes(fixture.queue, null, 10)).containsExactlyInAnyOrder(noStock, timeout);
        assertThat(dead.causes(fixture.queue, null, 1)).hasSize(1);
        assertThat(dead.causes(fixture.queue, timeout.digits(), 10)).containsExactly(timeout);
        assertThat(dead.countCause(fixture.queue, timeout.digits(), 10)).isEqualTo(2);
        assertThat(dead.countCause(fixture.queue, timeout.digits(), 1)).isEqualTo(1);
        QueueRow empty = new QueueFixture(database()).queue;
        assertThat(dead.causes(empty, null, 10)).isEmpty();
        assertThat(dead.countCause(empty, timeout.digits(), 10)).isZero();
    }

    @Test
    void aCauseOfZerosIsACauseToo() {
        fixture.deadLetter("a");
        fixture.execute("UPDATE acidq_dead SET cause = ? WHERE queue = ?", new byte[8], fixture.queueId);

        assertThat(dead.causes(fixture.queue, null, 10))
                .extracting(Cause::digits)
                .containsExactly("0000000000000000");
    }

    @Test
    void findsTheQueuesThatHaveDeadLetters() {
        QueueFixture other = new QueueFixture(database());
        fixture.deadLetter("a");
        other.deadLetter("b");

        List<QueueRow> queues = new ArrayList<>();
        Optional<QueueRow> next = dead.nextQueueWithDeadLetters(Integer.MIN_VALUE);
        while (next.isPresent()) {
            queues.add(next.get());
            next = dead.nextQueueWithDeadLetters(next.get().id());
        }

        assertThat(queues)
                .contains(fixture.queue, other.queue)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(java.util.Comparator.comparing(QueueRow::id));
    }

    @Test
    void picksWhatTheReplayIsPlannedBy() {
        fixture.deadLetter("x", "k", "o", "m");
        fixture.deadLetter("y", null, null, "m");

        List<Letter> letters = dead.pick(fixture.queue, all, 10);

        assertThat(letters).extracting(Letter::orderingKey).containsExactly("o", "");
        assertThat(letters).extracting(Letter::size).containsExactly(1, 1);
        assertThat(dead.pick(fixture.queue, all, 1)).containsExactly(letters.get(0));
        assertThat(dead.find(fixture.queue, letters.get(1).uid())).contains(letters.get(1));
        assertThat(dead.find(fixture.queue, new java.util.UUID(7, 7))).isEmpty();
        QueueRow foreign = new QueueRow(fixture.queueId + 1, "foreign", 64);
        assertThat(dead.find(foreign, letters.get(1).uid()))
                .as("an id of another queue")
                .isEmpty();
    }

    private List<String> found(DeadLetterFilter filter) {
        List<String> listed = texts(dead.list(fixture.queue, filter, DeadLetterPage.first(10)));
        assertThat(dead.count(fixture.queue, filter)).isEqualTo(listed.size());
        assertThat(dead.pick(fixture.queue, filter, 10)).hasSameSizeAs(listed);
        return listed;
    }

    private static List<String> texts(List<DeadLetter> letters) {
        return letters.stream().map(d -> new String(d.payload())).toList();
    }
}
