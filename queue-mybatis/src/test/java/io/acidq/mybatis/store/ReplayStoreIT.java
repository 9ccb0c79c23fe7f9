package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import io.acidq.admin.AuditEntry;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Bulk;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
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

    private static final Deed ANN = new Deed("ann", "stock is back", null);

    private Deaths deaths;
    private DeadLetterStore dead;

    @BeforeEach
    void openLetters() {
        deaths = new Deaths(scene);
        dead = store.dead();
    }

    @Test
    void replaysAtTheTailWithAttemptsAndDeathsCountedAnew() {
        ClaimedMessage died = deaths.die("a");
        scene.execute("UPDATE acidq_dead SET deaths = 2 WHERE queue = ?", scene.queue.id());
        scene.enqueue(0, "k", "enqueued since");
        List<Letter> letters = deaths.letters();

        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new Acted(1, 0, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new Acted(0, 1, 0, 0));

        List<ClaimedMessage> messages = scene.claim(0, 10).messages();
        assertThat(messages.stream().map(m -> new String(m.payload()))).containsExactly("enqueued since", "a");
        ClaimedMessage replayed = messages.get(1);
        assertThat(replayed.uid()).isEqualTo(died.uid());
        assertThat(replayed.attempts()).isEqualTo(1);
        assertThat(replayed.deaths()).isZero();
        assertThat(replayed.claim().claimNo()).isEqualTo(died.claim().claimNo() + 1);
        assertThat(replayed.enqueuedAt()).isEqualTo(died.enqueuedAt());
    }

    @Test
    void replaysInTheOrderInWhichTheyWereEnqueuedWhateverTheOrderOfTheirDeaths() {
        for (int i = 0; i < 5; i++) {
            deaths.die("m" + i);
        }
        scene.execute(
                "UPDATE acidq_dead SET enqueued_at = ? WHERE queue = ?",
                LocalDateTime.of(2026, 1, 1, 0, 0),
                scene.queue.id());
        int i = 0;
        for (Letter letter : deaths.letters()) { // of one statement: ordered by their numbers
            scene.execute(
                    "UPDATE acidq_dead SET uid = ? WHERE queue = ? AND died_at = ?",
                    bytes(new UUID(0x7000, Long.MAX_VALUE + (5 - i++))),
                    scene.queue.id(),
                    LocalDateTime.ofInstant(letter.diedAt(), java.time.ZoneOffset.UTC));
        }
        List<Letter> letters = new ArrayList<>(deaths.letters());
        Collections.shuffle(letters, new java.util.Random(1));

        dead.replayIfDead(ANN, letters);

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("m4", "m3", "m2", "m1", "m0");
    }

    @Test
    void leavesALetterAloneThatHasBeenReplayedAndHasDiedAgain() {
        deaths.die("a");
        List<Letter> before = deaths.letters();
        dead.replayIfDead(ANN, before);
        claims.deadIfClaimed(scene.claimOne(0).claim(), "again", List.of());

        assertThat(dead.replayIfDead(ANN, before)).isEqualTo(new Acted(0, 1, 0, 0));
        assertThat(dead.discardIfDead(ANN, before)).isEqualTo(new Acted(0, 1, 0, 0));
        assertThat(dead.editIfDead(ANN, before.get(0), new byte[0])).isEqualTo(new Acted(0, 1, 0, 0));
        assertThat(deaths.letters()).hasSize(1);
    }

    @Test
    void letsOneWinEachLetterWhenManyAskAtOnce() {
        deaths.die("a");
        deaths.die("b");
        List<Letter> letters = deaths.letters();

        List<CompletableFuture<Acted>> askers = IntStream.range(0, 4)
                .mapToObj(i -> Scene.aside(
                        () -> i % 2 == 0 ? dead.replayIfDead(ANN, letters) : dead.discardIfDead(ANN, letters)))
                .toList();
        List<Acted> acted = askers.stream().map(Scene::join).toList();

        assertThat(acted.stream().mapToInt(Acted::changed).sum()).isEqualTo(2);
        assertThat(acted.stream().mapToInt(Acted::lost).sum()).isEqualTo(6);
        assertThat(scene.count("acidq_dead")).isZero();
        assertThat(scene.count("acidq_audit")).as("one row for each change").isEqualTo(2);
    }

    @Test
    void discardsForGood() {
        deaths.die("a");
        deaths.die("b");
        List<Letter> letters = deaths.letters();

        assertThat(dead.discardIfDead(ANN, letters.subList(0, 1))).isEqualTo(new Acted(1, 0, 0, 0));
        assertThat(dead.discardIfDead(ANN, letters)).isEqualTo(new Acted(1, 1, 0, 0));
        assertThat(dead.replayIfDead(ANN, letters)).isEqualTo(new Acted(0, 2, 0, 0));
        assertThat(scene.count("acidq_dead") + scene.count("acidq_message")).isZero();
    }

    @Test
    void keepsTheKeyOfALetterWhateverItsWindowSoThatNobodyElseCanHaveIt() {
        UUID uid = deaths.die("a", "key", null, "m").uid();

        assertThat(takeKey("key", UUID.randomUUID())).as("the holder").isEqualTo(uid);
        assertThat(dead.keysTaken(deaths.letters())).isZero();
        assertThat(dead.replayIfDead(ANN, deaths.letters()).changed()).isEqualTo(1);
        assertThat(takeKey("key", UUID.randomUUID())).isEqualTo(uid);
    }

    @Test
    void takesAKeyAgainWhoseRowWasDeletedOrWhoseNewHolderIsGone() {
        UUID first = deaths.die("a", "deleted", null, "m").uid();
        UUID second = deaths.die("b", "gone", null, "m").uid();
        scene.execute("DELETE FROM acidq_key WHERE queue = ?", scene.queue.id());
        takeKey("gone", UUID.randomUUID()); // of a window of no time, and without a message

        assertThat(dead.keysTaken(deaths.letters())).isZero();
        assertThat(dead.replayIfDead(ANN, deaths.letters())).isEqualTo(new Acted(2, 0, 0, 0));
        assertThat(takeKey("deleted", UUID.randomUUID())).isEqualTo(first);
        assertThat(takeKey("gone", UUID.randomUUID())).isEqualTo(second);
    }

    @Test
    void doesNotReplayALetterWhoseKeyAnotherMessageHas() {
        deaths.die("a", "key", null, "m");
        deaths.die("b", null, null, "m");
        scene.execute("DELETE FROM acidq_key WHERE queue = ?", scene.queue.id());
        UUID heir = scene.enqueue(1, null, "heir");
        scene.home.transactions().run(() -> scene.takeKey("key", heir, Scene.HOUR));

        assertThat(dead.keysTaken(deaths.letters())).isEqualTo(1);
        assertThat(dead.replayIfDead(ANN, deaths.letters())).isEqualTo(new Acted(1, 0, 1, 0));

        assertThat(deaths.letters()).hasSize(1);
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("b");
        assertThat(dead.editIfDead(ANN, deaths.letters().get(0), new byte[0])).isEqualTo(new Acted(0, 0, 1, 0));
        assertThat(dead.discardIfDead(ANN, deaths.letters())).isEqualTo(new Acted(1, 0, 0, 0));
    }

    @Test
    void replaysWithAnotherPayload() {
        UUID uid = deaths.die("old").uid();

        Acted acted = dead.editIfDead(ANN, deaths.letters().get(0), "new one".getBytes());

        assertThat(acted).isEqualTo(new Acted(1, 0, 0, 0));
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("new one");
        assertThat(scene.number("SELECT size FROM acidq_message WHERE queue = ?", scene.queue.id()))
                .isEqualTo(7);
        AuditEntry entry = store.inspection().auditOf(uid).get(0);
        assertThat(entry.action()).isEqualTo("edit");
        assertThat(entry.detail())
                .contains("payload sha256=" + ErrorText.sha256Hex("old".getBytes()))
                .contains("now=" + ErrorText.sha256Hex("new one".getBytes()));
    }

    @Test
    void recordsWhoWhyAndOfWhatEachLetterHadDied() {
        ClaimedMessage died = deaths.die("a");
        String cause = scene.deadLetters(1).get(0).fingerprint();
        dead.replayIfDead(ANN, deaths.letters());
        claims.deadIfClaimed(scene.claimOne(0).claim(), "again", List.of());
        dead.discardIfDead(new Deed("bob", "hopeless", null), deaths.letters());

        List<AuditEntry> history = store.inspection().auditOf(died.uid());

        assertThat(history).extracting(AuditEntry::action).containsExactly("replay", "discard");
        assertThat(history).extracting(AuditEntry::actor).containsExactly("ann", "bob");
        assertThat(history).extracting(AuditEntry::reason).containsExactly("stock is back", "hopeless");
        AuditEntry replay = history.get(0);
        assertThat(replay.message()).contains(new MessageId(scene.queue.name(), 0, died.uid()));
        assertThat(replay.queue()).isEqualTo(scene.queue.name());
        assertThat(replay.bulk()).isEmpty();
        assertThat(replay.detail()).startsWith("died=20").endsWith(" attempts=1 deaths=0 claim=1 cause=" + cause);
    }

    @Test
    void recordsABulkActionOnceWithItsCountsSoFarAndEachOfItsLetters() {
        UUID first = deaths.die("a").uid();
        UUID second = deaths.die("b").uid();
        List<Letter> letters = deaths.letters();
        Bulk begun = new Bulk(0, scene.queue.id(), "queue=x", 5, 0, 0, 0);

        Acted one = dead.discardIfDead(new Deed("ann", "test", begun), letters.subList(0, 1));
        Acted two = dead.discardIfDead(new Deed("ann", "test", begun.plus(one)), letters);
        Acted none = dead.discardIfDead(new Deed("ann", "test", begun.plus(one).plus(two)), letters);

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
        deaths.die("a");
        List<Letter> letters = deaths.letters();
        dead.discardIfDead(ANN, letters);
        long rows = scene.count("acidq_audit");

        Acted acted = dead.replayIfDead(
                new Deed("bob", "late", new Bulk(0, scene.queue.id(), "queue=x", 1, 0, 0, 0)), letters);

        assertThat(acted).isEqualTo(new Acted(0, 1, 0, 0));
        assertThat(scene.count("acidq_audit")).isEqualTo(rows);
    }

    @Test
    void changesNothingThatItCanNotRecord() {
        deaths.die("a");
        Deed unrecordable = new Deed("x".repeat(101), "", null);

        assertThatThrownBy(() -> dead.replayIfDead(unrecordable, deaths.letters()))
                .isInstanceOf(AcidqException.class);
        assertThatThrownBy(() -> dead.discardIfDead(unrecordable, deaths.letters()))
                .isInstanceOf(AcidqException.class);

        assertThat(deaths.letters()).hasSize(1);
        assertThat(scene.count("acidq_message") + scene.count("acidq_audit")).isZero();
    }

    private UUID takeKey(String key, UUID uid) {
        return scene.home
                .transactions()
                .call(() -> scene.takeKey(key, uid, java.time.Duration.ZERO)
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
