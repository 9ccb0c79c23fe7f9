package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Replay and discard of dead letters, and their rows in the audit log. */
@EachStore
class ReplayStoreIT extends StoreFixture {

    private static final OperatorAction ANN = new OperatorAction("ann", "stock is back", null);

    @Test
    void replaysAtTheTailAndResetsAttemptsAndCrashes() {
        ClaimedMessage failed = fixture.deadLetter("a");
        fixture.execute("UPDATE acidq_dead SET crashes = 2 WHERE queue = ?", fixture.queueId);
        fixture.enqueue(0, "k", "enqueued since");
        List<Letter> letters = fixture.letters();

        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(0, 1, 0, 0));

        List<ClaimedMessage> messages = fixture.claim(0, 10).messages();
        assertThat(messages.stream().map(m -> new String(m.payload()))).containsExactly("enqueued since", "a");
        ClaimedMessage replayed = messages.get(1);
        assertThat(replayed.uid()).isEqualTo(failed.uid());
        assertThat(replayed.attempts()).isEqualTo(1);
        assertThat(replayed.crashes()).isZero();
        assertThat(replayed.claim().claimNo()).isEqualTo(failed.claim().claimNo() + 1);
        assertThat(replayed.enqueuedAt()).isEqualTo(failed.enqueuedAt());
    }

    @Test
    void replaysInTheOrderOfTheirEnqueues() {
        for (int i = 0; i < 5; i++) {
            fixture.deadLetter("m" + i);
        }
        fixture.execute(
                "UPDATE acidq_dead SET enqueued_at = ? WHERE queue = ?",
                LocalDateTime.of(2026, 1, 1, 0, 0),
                fixture.queueId);
        int i = 0;
        for (Letter letter : fixture.letters()) { // rows of one statement have the order of their ids
            fixture.execute(
                    "UPDATE acidq_dead SET uid = ? WHERE queue = ? AND died_at = ?",
                    QueueFixture.bytes(new UUID(0x7000, Long.MAX_VALUE + (5 - i++))),
                    fixture.queueId,
                    letter.diedAt()
                            .toString()
                            .replaceAll("[TZ]", " ")
                            .strip()); // as text: a driver may cut off microseconds
        }
        List<Letter> letters = new ArrayList<>(fixture.letters());
        Collections.shuffle(letters, new java.util.Random(1));

        dead.replayIfDead(ANN, letters);

        assertThat(fixture.claimTexts(0, 10)).containsExactly("m4", "m3", "m2", "m1", "m0");
    }

    @Test
    void leavesALetterUnchangedThatDiedAgainAfterAReplay() {
        fixture.deadLetter("a");
        List<Letter> before = fixture.letters();
        dead.replayIfDead(ANN, before);
        claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "again", List.of());

        assertThat(dead.replayIfDead(ANN, before)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(dead.discardIfDead(ANN, before)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(dead.editIfDead(ANN, before.get(0), new byte[0], null)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(fixture.letters()).hasSize(1);
    }

    @Test
    void letsOneWinEachLetterWhenManyAskAtOnce() {
        fixture.deadLetter("a");
        fixture.deadLetter("b");
        List<Letter> letters = fixture.letters();

        List<CompletableFuture<ActionResult>> askers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(
                        () -> i % 2 == 0 ? dead.replayIfDead(ANN, letters) : dead.discardIfDead(ANN, letters)))
                .toList();
        List<ActionResult> acted = askers.stream().map(QueueFixture::join).toList();

        assertThat(acted.stream().mapToInt(ActionResult::changed).sum()).isEqualTo(2);
        assertThat(acted.stream().mapToInt(ActionResult::lost).sum()).isEqualTo(6);
        assertThat(fixture.count("acidq_dead")).isZero();
        assertThat(fixture.count("acidq_audit")).as("one row for each change").isEqualTo(2);
    }

    @Test
    void discardsForGood() {
        fixture.deadLetter("a");
        fixture.deadLetter("b");
        List<Letter> letters = fixture.letters();

        assertThat(dead.discardIfDead(ANN, letters.subList(0, 1))).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(dead.discardIfDead(ANN, letters)).isEqualTo(new ActionResult(1, 1, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new ActionResult(0, 2, 0, 0));
        assertThat(fixture.count("acidq_dead") + fixture.count("acidq_message")).isZero();
    }

    @Test
    void keepsTheKeyOfALetterRegardlessOfItsWindow() {
        UUID uid = fixture.deadLetter("a", "key", null, "m").uid();

        assertThat(takeKey("key", UUID.randomUUID())).as("the holder").isEqualTo(uid);
        assertThat(dead.countTakenKeys(fixture.letters())).isZero();
        assertThat(dead.replayIfDead(ANN, fixture.letters()).changed()).isEqualTo(1);
        assertThat(takeKey("key", UUID.randomUUID())).isEqualTo(uid);
    }

    @Test
    void takesAKeyAgainWhoseRowWasDeletedOrWhoseNewHolderIsGone() {
        UUID first = fixture.deadLetter("a", "deleted", null, "m").uid();
        UUID second = fixture.deadLetter("b", "gone", null, "m").uid();
        fixture.execute("DELETE FROM acidq_key WHERE queue = ?", fixture.queueId);
        takeKey("gone", UUID.randomUUID()); // a key with an empty window and without a message

        assertThat(dead.countTakenKeys(fixture.letters())).isZero();
        assertThat(dead.replayIfDead(ANN, fixture.letters())).isEqualTo(new ActionResult(2, 0, 0, 0));
        assertThat(takeKey("deleted", UUID.randomUUID())).isEqualTo(first);
        assertThat(takeKey("gone", UUID.randomUUID())).isEqualTo(second);
    }

    @Test
    void doesNotReplayALetterWhoseKeyAnotherMessageHas() {
        fixture.deadLetter("a", "key", null, "m");
        fixture.deadLetter("b", null, null, "m");
        fixture.execute("DELETE FROM acidq_key WHERE queue = ?", fixture.queueId);
        UUID heir = fixture.enqueue(1, null, "heir");
        fixture.database.transactions().run(() -> fixture.takeKey("key", heir, QueueFixture.HOUR));

        assertThat(dead.countTakenKeys(fixture.letters())).isEqualTo(1);
        assertThat(dead.replayIfDead(ANN, fixture.letters())).isEqualTo(new ActionResult(1, 0, 1, 0));

        assertThat(fixture.letters()).hasSize(1);
        assertThat(fixture.claimTexts(0, 10)).containsExactly("b");
        assertThat(dead.editIfDead(ANN, fixture.letters().get(0), new byte[0], null))
                .isEqualTo(new ActionResult(0, 0, 1, 0));
        assertThat(dead.discardIfDead(ANN, fixture.letters())).isEqualTo(new ActionResult(1, 0, 0, 0));
    }

    @Test
    void replaysWithAnotherPayload() {
        UUID uid = fixture.deadLetter("old").uid();

        ActionResult actionResult = dead.editIfDead(ANN, fixture.letters().get(0), "new one".getBytes(), null);

        assertThat(actionResult).isEqualTo(new ActionResult(1, 0, 0, 0));
        assertThat(fixture.claimTexts(0, 10)).containsExactly("new one");
        assertThat(fixture.number("SELECT size FROM acidq_message WHERE queue = ?", fixture.queueId))
                .isEqualTo(7);
        AuditEntry entry = inspection.auditOf(uid).get(0);
        assertThat(entry.action()).isEqualTo("edit");
        assertThat(entry.detail())
                .contains("payload sha256=" + ErrorText.sha256Hex("old".getBytes()))
                .contains("now=" + ErrorText.sha256Hex("new one".getBytes()));
    }

    @Test
    void replaysWithOtherHeaders() {
        UUID uid = fixture.deadLetter("old").uid();

        dead.editIfDead(ANN, fixture.letters().get(0), "old".getBytes(), "a=1");

        assertThat(inspection.content(fixture.queue, new MessageId(fixture.queue.name(), 0, uid)))
                .hasValueSatisfying(content -> assertThat(content.headers()).isEqualTo(Map.of("a", "1")));
        assertThat(inspection.auditOf(uid).get(0).detail())
                .contains("headers sha256=" + ErrorText.sha256Hex("headers".getBytes()))
                .contains("now=" + ErrorText.sha256Hex("a=1".getBytes()));
    }

    @Test
    void recordsActorReasonAndCauseOfEachLetter() {
        ClaimedMessage failed = fixture.deadLetter("a");
        String cause = fixture.deadLetters(1).get(0).cause();
        dead.replayIfDead(ANN, fixture.letters());
        claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "again", List.of());
        dead.discardIfDead(new OperatorAction("bob", "hopeless", null), fixture.letters());

        List<AuditEntry> history = inspection.auditOf(failed.uid());

        assertThat(history).extracting(AuditEntry::action).containsExactly("replay", "discard");
        assertThat(history).extracting(AuditEntry::actor).containsExactly("ann", "bob");
        assertThat(history).extracting(AuditEntry::reason).containsExactly("stock is back", "hopeless");
        AuditEntry replay = history.get(0);
        assertThat(replay.message()).contains(new MessageId(fixture.queue.name(), 0, failed.uid()));
        assertThat(replay.queue()).isEqualTo(fixture.queue.name());
        assertThat(replay.bulk()).isEmpty();
        assertThat(replay.detail()).startsWith("died=20").endsWith(" attempts=1 crashes=0 claim=1 cause=" + cause);
    }

    @Test
    void recordsABulkActionOnceWithItsCountsSoFarAndEachOfItsLetters() {
        UUID first = fixture.deadLetter("a").uid();
        UUID second = fixture.deadLetter("b").uid();
        List<Letter> letters = fixture.letters();
        BulkProgress begun = new BulkProgress(0, fixture.queueId, "queue=x", 5, 0, 0, 0);

        ActionResult one = dead.discardIfDead(new OperatorAction("ann", "test", begun), letters.subList(0, 1));
        ActionResult two = dead.discardIfDead(new OperatorAction("ann", "test", begun.plus(one)), letters);
        ActionResult none = dead.discardIfDead(
                new OperatorAction("ann", "test", begun.plus(one).plus(two)), letters);

        assertThat(one.bulk()).isPositive().isEqualTo(two.bulk()).isEqualTo(none.bulk());
        AuditEntry bulk = recentAudit(1).get(0);
        assertThat(bulk.id()).isEqualTo(one.bulk());
        assertThat(bulk.message()).isEmpty();
        assertThat(bulk.filter()).isEqualTo("queue=x");
        assertThat(bulk.detail()).isEqualTo("matched=5 changed=2 lost=3 keyTaken=0");
        assertThat(List.of(first, second))
                .allSatisfy(
                        uid -> assertThat(inspection.auditOf(uid).get(0).bulk()).hasValue(one.bulk()));
    }

    @Test
    void recordsNothingOfABulkActionThatChangedNothing() {
        fixture.deadLetter("a");
        List<Letter> letters = fixture.letters();
        dead.discardIfDead(ANN, letters);
        long rows = fixture.count("acidq_audit");

        ActionResult actionResult = dead.replayIfDead(
                new OperatorAction("bob", "late", new BulkProgress(0, fixture.queueId, "queue=x", 1, 0, 0, 0)),
                letters);

        assertThat(actionResult).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(fixture.count("acidq_audit")).isEqualTo(rows);
    }

    @Test
    void changesNothingThatItCannotRecord() {
        fixture.deadLetter("a");
        OperatorAction unrecordable = new OperatorAction("x".repeat(101), "", null);

        assertThatThrownBy(() -> dead.replayIfDead(unrecordable, fixture.letters()))
                .isInstanceOf(AcidqException.class);
        assertThatThrownBy(() -> dead.discardIfDead(unrecordable, fixture.letters()))
                .isInstanceOf(AcidqException.class);

        assertThat(fixture.letters()).hasSize(1);
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_audit"))
                .isZero();
    }

    private UUID takeKey(String key, UUID uid) {
        return fixture.database
                .transactions()
                .call(() -> fixture.takeKey(key, uid, java.time.Duration.ZERO)
                        .map(h -> h.uid())
                        .orElse(uid));
    }
}
