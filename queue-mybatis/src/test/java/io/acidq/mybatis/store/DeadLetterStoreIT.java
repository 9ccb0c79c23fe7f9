package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
        String timeout = letters.get(0).fingerprint();
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
    void groupsByCauseTheMostFrequentFirstWithTheNewestAsTheExample() {
        fixture.deadLetter("a", null, null, "no stock");
        fixture.deadLetter("b", null, null, "timeout after 5 s\nat somewhere");
        fixture.deadLetter("c", null, null, "timeout after 31 s\nat somewhere else");
        List<DeadLetter> letters = fixture.deadLetters(10);

        List<DeadLetterGroup> groups = dead.groups(fixture.queue, 10);

        assertThat(groups)
                .containsExactly(
                        new DeadLetterGroup(
                                letters.get(1).fingerprint(),
                                2,
                                letters.get(1).diedAt(),
                                letters.get(2).diedAt(),
                                "timeout after 31 s",
                                "type"),
                        new DeadLetterGroup(
                                letters.get(0).fingerprint(),
                                1,
                                letters.get(0).diedAt(),
                                letters.get(0).diedAt(),
                                "no stock",
                                "type"));
        assertThat(dead.groups(fixture.queue, 1)).containsExactly(groups.get(0));
        assertThat(dead.groups(new QueueFixture(database()).queue, 10)).isEmpty();
    }

    @Test
    void picksWhatTheReplayIsPlannedBy() {
        fixture.deadLetter("x", "k", "o", "m");
        fixture.deadLetter("y", null, null, "m");

        List<Letter> letters = dead.pick(fixture.queue, all, 10);

        assertThat(letters).extracting(Letter::orderKey).containsExactly("o", "");
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
