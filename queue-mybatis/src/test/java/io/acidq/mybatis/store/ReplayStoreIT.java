package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import io.acidq.admin.AuditEntry;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replay and discard of dead letters, and what the audit table holds then. */
@EachStore
class ReplayStoreIT extends StoreFixture {

    private static final OperatorAction ANN = new OperatorAction("ann", "stock is back", null);

    private DeadLetterFixture crashes;
    private DeadLetterStore dead;

    @BeforeEach
    void openLetters() {
        crashes = new DeadLetterFixture(queueFixture);
        dead = store.dead();
    }

    @Test
    void replaysAtTheTailWithAttemptsAndDeathsCountedAnew() {
        ClaimedMessage died = crashes.deadLetter("a");
        queueFixture.execute("UPDATE acidq_dead SET crashes = 2 WHERE queue = ?", queueFixture.queue.id());
        queueFixture.enqueue(0, "k", "enqueued since");
        List<Letter> letters = crashes.deadLetters();

        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(0, 1, 0, 0));

        List<ClaimedMessage> messages = queueFixture.claim(0, 10).messages();
        assertThat(messages.stream().map(m -> new String(m.payload()))).containsExactly("enqueued since", "a");
        ClaimedMessage replayed = messages.get(1);
        assertThat(replayed.uid()).isEqualTo(died.uid());
        assertThat(replayed.attempts()).isEqualTo(1);
        assertThat(replayed.crashes()).isZero();
        assertThat(replayed.claim().claimNo()).isEqualTo(died.claim().claimNo() + 1);
        assertThat(replayed.enqueuedAt()).isEqualTo(died.enqueuedAt());
    }

    @Test
    void replaysInTheOrderInWhichTheyWereEnqueuedWhateverTheOrderOfTheirDeaths() {
        for (int i = 0; i < 5; i++) {
            crashes.deadLetter("m" + i);
        }
        queueFixture.execute(
                "UPDATE acidq_dead SET enqueued_at = ? WHERE queue = ?",
                LocalDateTime.of(2026, 1, 1, 0, 0),
                queueFixture.queue.id());
        int i = 0;
        for (Letter letter : crashes.deadLetters()) { // of one statement: ordered by their numbers
            queueFixture.execute(
                    "UPDATE acidq_dead SET uid = ? WHERE queue = ? AND died_at = ?",
                    bytes(new UUID(0x7000, Long.MAX_VALUE + (5 - i++))),
                    queueFixture.queue.id(),
                    LocalDateTime.ofInstant(letter.diedAt(), java.time.ZoneOffset.UTC));
        }
        List<Letter> letters = new ArrayList<>(crashes.deadLetters());
        Collections.shuffle(letters, new java.util.Random(1));

        dead.replayIfDead(ANN, letters);

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("m4", "m3", "m2", "m1", "m0");
    }

    @Test
    void leavesALetterAloneThatHasBeenReplayedAndHasDiedAgain() {
        crashes.deadLetter("a");
        List<Letter> before = crashes.deadLetters();
        dead.replayIfDead(ANN, before);
        claims.deadLetterIfClaimed(queueFixture.claimOne(0).claim(), "again", List.of());

        assertThat(dead.replayIfDead(ANN, before)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(dead.discardIfDead(ANN, before)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(dead.editIfDead(ANN, before.get(0), new byte[0])).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(crashes.deadLetters()).hasSize(1);
    }

    @Test
    void letsOneWinEachLetterWhenManyAskAtOnce() {
        crashes.deadLetter("a");
        crashes.deadLetter("b");
        List<Letter> letters = crashes.deadLetters();

        List<CompletableFuture<ActionResult>> askers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(
                        () -> i % 2 == 0 ? dead.replayIfDead(ANN, letters) : dead.discardIfDead(ANN, letters)))
                .toList();
        List<ActionResult> acted = askers.stream().map(QueueFixture::join).toList();

        assertThat(acted.stream().mapToInt(ActionResult::changed).sum()).isEqualTo(2);
        assertThat(acted.stream().mapToInt(ActionResult::lost).sum()).isEqualTo(6);
        assertThat(queueFixture.count("acidq_dead")).isZero();
        assertThat(queueFixture.count("acidq_audit"))
                .as("one row for each change")
                .isEqualTo(2);
    }

    @Test
    void discardsForGood() {
        crashes.deadLetter("a");
        crashes.deadLetter("b");
        List<Letter> letters = crashes.deadLetters();

        assertThat(dead.discardIfDead(ANN, letters.subList(0, 1))).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(dead.discardIfDead(ANN, letters)).isEqualTo(new ActionResult(1, 1, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(0, 2, 0, 0));
        assertThat(queueFixture.count("acidq_dead") + queueFixture.count("acidq_message"))
                .isZero();
    }

    @Test
    void keepsTheKeyOfALetterWhateverItsWindowSoThatNobodyElseCanHaveIt() {
        UUID uid = crashes.deadLetter("a", "key", null, "m").uid();

        assertThat(takeKey("key", UUID.randomUUID())).as("the holder").isEqualTo(uid);
        assertThat(dead.countTakenKeys(crashes.deadLetters())).isZero();
        assertThat(dead.replayIfDead(ANN, crashes.deadLetters()).changed()).isEqualTo(1);
        assertThat(takeKey("key", UUID.randomUUID())).isEqualTo(uid);
    }

    @Test
    void takesAKeyAgainWhoseRowWasDeletedOrWhoseNewHolderIsGone() {
        UUID first = crashes.deadLetter("a", "deleted", null, "m").uid();
        UUID second = crashes.deadLetter("b", "gone", null, "m").uid();
        queueFixture.execute("DELETE FROM acidq_key WHERE queue = ?", queueFixture.queue.id());
        takeKey("gone", UUID.randomUUID()); // of a window of no time, and without a message

        assertThat(dead.countTakenKeys(crashes.deadLetters())).isZero();
        assertThat(dead.replayIfDead(ANN, crashes.deadLetters())).isEqualTo(new ActionResult(2, 0, 0, 0));
        assertThat(takeKey("deleted", UUID.randomUUID())).isEqualTo(first);
        assertThat(takeKey("gone", UUID.randomUUID())).isEqualTo(second);
    }

    @Test
    void doesNotReplayALetterWhoseKeyAnotherMessageHas() {
        crashes.deadLetter("a", "key", null, "m");
        crashes.deadLetter("b", null, null, "m");
        queueFixture.execute("DELETE FROM acidq_key WHERE queue = ?", queueFixture.queue.id());
        UUID heir = queueFixture.enqueue(1, null, "heir");
        queueFixture.database.transactions().run(() -> queueFixture.takeKey("key", heir, QueueFixture.HOUR));

        assertThat(dead.countTakenKeys(crashes.deadLetters())).isEqualTo(1);
        assertThat(dead.replayIfDead(ANN, crashes.deadLetters())).isEqualTo(new ActionResult(1, 0, 1, 0));

        assertThat(crashes.deadLetters()).hasSize(1);
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("b");
        assertThat(dead.editIfDead(ANN, crashes.deadLetters().get(0), new byte[0]))
                .isEqualTo(new ActionResult(0, 0, 1, 0));
        assertThat(dead.discardIfDead(ANN, crashes.deadLetters())).isEqualTo(new ActionResult(1, 0, 0, 0));
    }

    @Test
    void replaysWithAnotherPayload() {
        UUID uid = crashes.deadLetter("old").uid();

        ActionResult actionResult = dead.editIfDead(ANN, crashes.deadLetters().get(0), "new one".getBytes());

        assertThat(actionResult).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("new one");
        assertThat(queueFixture.number("SELECT size FROM acidq_message WHERE queue = ?", queueFixture.queue.id()))
                .isEqualTo(7);
        AuditEntry entry = store.inspection().auditOf(uid).get(0);
        assertThat(entry.action()).isEqualTo("edit");
        assertThat(entry.detail())
                .contains("payload sha256=" + ErrorText.sha256Hex("old".getBytes()))
                .contains("now=" + ErrorText.sha256Hex("new one".getBytes()));
    }

    @Test
    void recordsWhoWhyAndOfWhatEachLetterHadDied() {
        ClaimedMessage died = crashes.deadLetter("a");
        String cause = queueFixture.deadLetters(1).get(0).fingerprint();
        dead.replayIfDead(ANN, crashes.deadLetters());
        claims.deadLetterIfClaimed(queueFixture.claimOne(0).claim(), "again", List.of());
        dead.discardIfDead(new OperatorAction("bob", "hopeless", null), crashes.deadLetters());

        List<AuditEntry> history = store.inspection().auditOf(died.uid());

        assertThat(history).extracting(AuditEntry::action).containsExactly("replay", "discard");
        assertThat(history).extracting(AuditEntry::actor).containsExactly("ann", "bob");
        assertThat(history).extracting(AuditEntry::reason).containsExactly("stock is back", "hopeless");
        AuditEntry replay = history.get(0);
        assertThat(replay.message()).contains(new MessageId(queueFixture.queue.name(), 0, died.uid()));
        assertThat(replay.queue()).isEqualTo(queueFixture.queue.name());
        assertThat(replay.bulk()).isEmpty();
        assertThat(replay.detail()).startsWith("died=20").endsWith(" attempts=1 crashes=0 claim=1 cause=" + cause);
    }

    @Test
    void recordsABulkActionOnceWithItsCountsSoFarAndEachOfItsLetters() {
        UUID first = crashes.deadLetter("a").uid();
        UUID second = crashes.deadLetter("b").uid();
        List<Letter> letters = crashes.deadLetters();
        BulkProgress begun = new BulkProgress(0, queueFixture.queue.id(), "queue=x", 5, 0, 0, 0);

        ActionResult one = dead.discardIfDead(new OperatorAction("ann", "test", begun), letters.subList(0, 1));
        ActionResult two = dead.discardIfDead(new OperatorAction("ann", "test", begun.plus(one)), letters);
        ActionResult none = dead.discardIfDead(
                new OperatorAction("ann", "test", begun.plus(one).plus(two)), letters);

        assertThat(one.bulk()).isPositive().isEqualTo(two.bulk()).isEqualTo(none.bulk());
        AuditEntry bulk = store.inspection().recentAudit(1).get(0);
        assertThat(bulk.id()).isEqualTo(one.bulk());
        assertThat(bulk.message()).isEmpty();
        assertThat(bulk.filter()).isEqualTo("queue=x");
        assertThat(bulk.detail()).isEqualTo("matched=5 changed=2 lost=3 keyTaken=0");
        assertThat(List.of(first, second))
                .allSatisfy(
                        uid -> assertThat(store.inspection().auditOf(uid).get(0).bulk())
                                .hasValue(one.bulk()));
    }

    @Test
    void recordsNothingOfABulkActionThatChangedNothing() {
        crashes.deadLetter("a");
        List<Letter> letters = crashes.deadLetters();
        dead.discardIfDead(ANN, letters);
        long rows = queueFixture.count("acidq_audit");

        ActionResult actionResult = dead.replayIfDead(
                new OperatorAction("bob", "late", new BulkProgress(0, queueFixture.queue.id(), "queue=x", 1, 0, 0, 0)),
                letters);

        assertThat(actionResult).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(queueFixture.count("acidq_audit")).isEqualTo(rows);
    }

    @Test
    void changesNothingThatItCanNotRecord() {
        crashes.deadLetter("a");
        OperatorAction unrecordable = new OperatorAction("x".repeat(101), "", null);

        assertThatThrownBy(() -> dead.replayIfDead(unrecordable, crashes.deadLetters()))
                .isInstanceOf(AcidqException.class);
        assertThatThrownBy(() -> dead.discardIfDead(unrecordable, crashes.deadLetters()))
                .isInstanceOf(AcidqException.class);

        assertThat(crashes.deadLetters()).hasSize(1);
        assertThat(queueFixture.count("acidq_message") + queueFixture.count("acidq_audit"))
                .isZero();
    }

    private UUID takeKey(String key, UUID uid) {
        return queueFixture
                .database
                .transactions()
                .call(() -> queueFixture
                        .takeKey(key, uid, java.time.Duration.ZERO)
                        .map(h -> h.uid())
                        .orElse(uid));
    }

    private static byte[] bytes(UUID uid) {
        return java.nio.ByteBuffer.allocate(16)
                .putLong(uid.getMostSignificantBits())
                .putLong(uid.getLeastSignificantBits())
                .array();
    }
}
