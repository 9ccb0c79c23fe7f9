package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroup;
import io.acidq.admin.DeadLetterPage;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How dead letters are found. */
@EachStore
class DeadLetterStoreIT extends StoreFixture {

    private DeadLetterFixture crashes;
    private DeadLetterStore dead;
    private DeadLetterFilter all;

    @BeforeEach
    void openLetters() {
        crashes = new DeadLetterFixture(queueFixture);
        dead = store.dead();
        all = DeadLetterFilter.of(queueFixture.queue.name());
    }

    @Test
    void listsTheOldestOfTheQueueFirst() {
        crashes.deadLetter("a");
        crashes.deadLetter("b");
        crashes.deadLetter("c");

        List<DeadLetter> oldest = queueFixture.deadLetters(2);
        assertThat(texts(oldest)).containsExactly("a", "b");
        assertThat(oldest.get(0).id().queue()).isEqualTo(queueFixture.queue.name());
        assertThat(new QueueFixture(database()).deadLetters(10)).isEmpty();
    }

    @Test
    void listsPageAfterPageAlsoOfThoseThatDiedInOneMicrosecondAndShowsWhatDiesMeanwhileLast() {
        for (int i = 0; i < 7; i++) {
            crashes.deadLetter("m" + i);
        }
        queueFixture.execute(
                "UPDATE acidq_dead SET died_at = ? WHERE queue = ?",
                java.time.LocalDateTime.of(2026, 1, 1, 0, 0),
                queueFixture.queue.id());

        List<String> seen = new ArrayList<>();
        DeadLetterPage page = DeadLetterPage.first(3);
        List<DeadLetter> letters = dead.list(queueFixture.queue, all, page);
        crashes.deadLetter("late");
        while (!letters.isEmpty()) {
            seen.addAll(texts(letters));
            page = page.after(letters.get(letters.size() - 1));
            letters = dead.list(queueFixture.queue, all, page);
        }

        assertThat(seen).hasSize(8).doesNotHaveDuplicates().endsWith("late");
    }

    @Test
    void findsByCauseTypeKeysAndTime() {
        crashes.deadLetter("x", "k", "o", "timeout after 5 s");
        crashes.deadLetter("y", "l", "o", "timeout after 31 s");
        crashes.deadLetter("z", null, null, "no stock\nof article 5");
        List<DeadLetter> letters = queueFixture.deadLetters(10);
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
        crashes.deadLetter("a", null, null, "no stock");
        crashes.deadLetter("b", null, null, "timeout after 5 s\nat somewhere");
        crashes.deadLetter("c", null, null, "timeout after 31 s\nat somewhere else");
        List<DeadLetter> letters = queueFixture.deadLetters(10);

        List<DeadLetterGroup> groups = dead.groups(queueFixture.queue, 10);

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
        assertThat(dead.groups(queueFixture.queue, 1)).containsExactly(groups.get(0));
        assertThat(dead.groups(new QueueFixture(database()).queue, 10)).isEmpty();
    }

    @Test
    void picksWhatTheReplayIsPlannedBy() {
        crashes.deadLetter("x", "k", "o", "m");
        crashes.deadLetter("y", null, null, "m");

        List<Letter> letters = dead.pick(queueFixture.queue, all, 10);

        assertThat(letters).extracting(Letter::orderKey).containsExactly("o", "");
        assertThat(letters).extracting(Letter::size).containsExactly(1, 1);
        assertThat(dead.pick(queueFixture.queue, all, 1)).containsExactly(letters.get(0));
        assertThat(dead.find(queueFixture.queue, letters.get(1).uid())).contains(letters.get(1));
        assertThat(dead.find(queueFixture.queue, new java.util.UUID(7, 7))).isEmpty();
        QueueRow foreign = new QueueRow(queueFixture.queue.id() + 1, "foreign", 64);
        assertThat(dead.find(foreign, letters.get(1).uid()))
                .as("an id of another queue")
                .isEmpty();
    }

    private List<String> found(DeadLetterFilter filter) {
        List<String> listed = texts(dead.list(queueFixture.queue, filter, DeadLetterPage.first(10)));
        assertThat(dead.count(queueFixture.queue, filter)).isEqualTo(listed.size());
        assertThat(dead.pick(queueFixture.queue, filter, 10)).hasSameSizeAs(listed);
        return listed;
    }

    private static List<String> texts(List<DeadLetter> letters) {
        return letters.stream().map(d -> new String(d.payload())).toList();
    }
}
