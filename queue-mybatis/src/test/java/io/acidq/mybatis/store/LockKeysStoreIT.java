package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@EachStore
class LockKeysStoreIT extends LockKeysFixture {

    @Test
    void takesAFreeKeyAndTellsTheNextWhoHoldsIt() {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        KeyState mine = lock(first);
        KeyState theirs = lock(keyed("k", Due.NOW, "b"));

        assertThat(mine.holder()).isEqualTo(new KeyHolder(first.uid(), 0)).isEqualTo(theirs.holder());
        assertThat(theirs.due()).isEqualTo(mine.due()).isEqualTo(mine.takenAt().plus(QueueFixture.HOUR));
        assertThat(theirs.now()).isAfterOrEqualTo(mine.now());
    }

    @Test
    void answersInTheOrderGivenForMoreKeysThanAStatementHolds() {
        List<KeyClaim> claims = IntStream.range(0, 1203)
                .mapToObj(i -> claim(keyed(String.format("k%04d", i), Due.NOW, "a")))
                .toList();

        List<KeyState> states = transactions.call(() -> enqueue.lockKeys(claims));

        assertThat(states.stream().map(KeyState::key))
                .isEqualTo(claims.stream().map(KeyClaim::key).toList());
        assertThat(states.stream().map(s -> s.holder().uid()))
                .isEqualTo(claims.stream().map(KeyClaim::uid).toList());
    }

    @Test
    void takesOverAnExpiredKeyWhoseMessageIsGoneAndNoOther() {
        UUID living = fixture.enqueue(0, null, "a");
        transactions.run(() -> {
            fixture.takeKey("gone", UUID.randomUUID(), QueueFixture.HOUR);
            fixture.takeKey("living", living, QueueFixture.HOUR);
        });
        fixture.passTwoHours();

        MessageRow next = keyed("gone", Due.NOW, "b");
        assertThat(lock(next).holder().uid()).isEqualTo(next.uid());
        assertThat(lock(keyed("living", Due.NOW, "b")).holder().uid()).isEqualTo(living);
    }

    @Test
    void replacesAMessageThatWaitsForItsFirstDueTimeAndFindsItAgain() {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        schedule(first);
        assertThat(lock(first).scheduledId()).isPositive();

        for (String text : List.of("b", "c", "c")) { // the last one finds a row and changes nothing
            assertThat(replace("k", text, Instant.parse("2999-01-01T00:00:00.000001Z")))
                    .isTrue();
        }
        assertThat(fixture.count("acidq_scheduled")).isEqualTo(1);
        replace("k", "d", Instant.parse("2020-01-01T00:00:00Z"));
        maintenance.moveDue();

        assertThat(fixture.claimOne(0)).satisfies(m -> {
            assertThat(m.uid()).isEqualTo(first.uid());
            assertThat(m.payload()).isEqualTo("d".getBytes(StandardCharsets.UTF_8));
            assertThat(m.type()).isEqualTo("type");
        });
    }

    @Test
    void findsAMessageThatWasEnqueuedWithoutLockingItsKey() {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        transactions.run(() -> {
            enqueue.takeKey(claim(first));
            enqueue.insert(List.of(first));
        });
        assertThat(lock(first).scheduledId()).isZero();

        assertThat(replace("k", "b", Instant.parse("2999-01-01T00:00:00Z"))).isTrue();

        assertThat(lock(first).scheduledId()).isPositive();
        assertThat(lock(first).due()).isEqualTo("2999-01-01T00:00:00Z");
    }

    @Test
    void findsAMessageWhoseDueTimeWasChangedByHand() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        fixture.execute(
                "UPDATE acidq_scheduled SET preexec_time = TIMESTAMPADD(HOUR, 5, preexec_time) WHERE queue = ?",
                fixture.queueId);

        assertThat(replace("k", "b", Instant.parse("2999-01-01T00:00:00Z"))).isTrue();
    }

    @Test
    void leavesAMessageThatWasEverClaimed() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        fixture.execute("UPDATE acidq_scheduled SET claim_no = 1 WHERE queue = ?", fixture.queueId);

        assertThat(replace("k", "b", Instant.parse("2999-01-01T00:00:00Z"))).isFalse();
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND size = 1", fixture.queueId))
                .isEqualTo(1);
    }

    @Test
    void replacesNothingWhenTheMessageHasMoved() {
        schedule(keyed("k", new Due(null, Instant.parse("2020-01-01T00:00:00Z")), "a"));
        maintenance.moveDue();

        assertThat(replace("k", "b", Instant.parse("2999-01-01T00:00:00Z"))).isFalse();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("a");
    }

    @Test
    void keepsPayloadsOfAnySize() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        replace("k", "x".repeat(100_000), Instant.parse("2020-01-01T00:00:00Z"));
        maintenance.moveDue();

        assertThat(claims.content(fixture.claimOne(0).claim()).payload()).hasSize(100_000);
    }
}
