package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.Window;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@EachStore
class TakeKeyStoreIT extends StoreFixture {

    @Test
    void givesAFreeKeyAndNamesItsHolderToTheNext() {
        UUID first = UUID.randomUUID();
        assertThat(take("k", first)).isEmpty();

        assertThat(take("k", UUID.randomUUID())).contains(new KeyHolder(first, 0));
    }

    @Test
    void refusesASecondTakingInTheSameTransactionWhichStaysUsable() {
        UUID first = UUID.randomUUID();
        transactions.run(() -> {
            assertThat(fixture.takeKey("k", first, QueueFixture.HOUR)).isEmpty();
            assertThat(fixture.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR))
                    .contains(new KeyHolder(first, 0));
            enqueue.insert(List.of(fixture.message(0, null, "a")));
        });

        assertThat(fixture.claimTexts(0, 10)).containsExactly("a");
    }

    @Test
    void freesAKeyWithTheRollbackOfItsTaker() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    fixture.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(take("k", UUID.randomUUID())).isEmpty();
    }

    @Test
    void tellsKeysApartByTheirBytes() {
        List<String> keys =
                List.of("a", "A", "á", "a ", "a\u0000", "\u0000", "🦊", "x".repeat(255), "x".repeat(254) + "y");

        keys.forEach(k -> assertThat(take(k, UUID.randomUUID())).as(k).isEmpty());
        keys.forEach(k -> assertThat(take(k, UUID.randomUUID())).as(k).isPresent());
    }

    @Test
    void tellsKeysApartByTheirQueues() {
        assertThat(take("k", UUID.randomUUID())).isEmpty();

        QueueFixture other = new QueueFixture(database());
        assertThat(transactions.<Optional<KeyHolder>, RuntimeException>call(
                        () -> other.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR)))
                .isEmpty();
    }

    @Test
    void neverCutsALongKeyShort() {
        assertThatThrownBy(() -> take("x".repeat(256), UUID.randomUUID())).isInstanceOf(QueueMisuseException.class);

        assertThat(fixture.count("acidq_key")).isZero();
    }

    @Test
    void passesAKeyOnAfterItsWindowWhenTheMessageNoLongerExists() {
        UUID second = UUID.randomUUID();
        take("k", UUID.randomUUID());
        fixture.passTwoHours();

        assertThat(take("k", second)).isEmpty();
        assertThat(take("k", UUID.randomUUID())).contains(new KeyHolder(second, 0));
    }

    @Test
    void keepsAKeyBeyondItsWindowWhileTheMessageIsInTheHotTable() {
        UUID holder = fixture.enqueue(0, null, "a");
        take("k", holder);
        fixture.passTwoHours();

        assertThat(take("k", UUID.randomUUID())).contains(new KeyHolder(holder, 0));
    }

    @Test
    void keepsAKeyBeyondItsWindowWhileTheMessageIsScheduled() {
        var row = fixture.message(0, null, "a", new Due(Duration.ofDays(9), null));
        fixture.enqueue(row);
        take("k", row.uid());
        fixture.passTwoHours();

        assertThat(take("k", UUID.randomUUID())).contains(new KeyHolder(row.uid(), 0));
    }

    @Test
    void keepsAKeyBeyondItsWindowWhileTheMessageIsDead() {
        UUID holder = fixture.enqueue(0, null, "a");
        take("k", holder);
        claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "mark", List.of());
        fixture.passTwoHours();

        assertThat(take("k", UUID.randomUUID())).contains(new KeyHolder(holder, 0));
    }

    @Test
    void beginsTheWindowAtTheDueTime() {
        Instant at = Instant.parse("2999-01-01T00:00:00Z");
        takeDue("delayed", new Due(Duration.ofHours(5), null));
        takeDue("at", new Due(null, at));
        takeDue("past", new Due(null, Instant.parse("2020-01-01T00:00:00Z")));
        takeDue("last", new Due(null, Instant.parse("9998-12-31T23:00:00Z")));

        assertThat(hoursUntilEnd("delayed")).isBetween(5L, 6L);
        assertThat(hoursUntilEnd("at")).isGreaterThan(8_000_000);
        assertThat(hoursUntilEnd("past")).isBetween(0L, 1L);
        assertThat(hoursUntilEnd("last")).isGreaterThan(60_000_000);
    }

    @Test
    void needsATransaction() {
        assertThatThrownBy(() -> fixture.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("takeKey needs a transaction");
    }

    private void takeDue(String key, Due due) {
        transactions.run(() -> {
            assertThat(enqueue.takeKey(new KeyClaim(
                            fixture.queueId, key, UUID.randomUUID(), 0, due, new Window(QueueFixture.HOUR, true))))
                    .isEmpty();
        });
    }

    private long hoursUntilEnd(String key) {
        return fixture.number(
                "SELECT TIMESTAMPDIFF(HOUR, " + (database().isH2() ? "CURRENT_TIMESTAMP" : "UTC_TIMESTAMP")
                        + ", kept_until) FROM acidq_key WHERE queue = ? AND p_key = ?",
                fixture.queueId,
                key.getBytes(StandardCharsets.UTF_8));
    }

    Optional<KeyHolder> take(String key, UUID uid) {
        return transactions.call(() -> fixture.takeKey(key, uid, QueueFixture.HOUR));
    }
}
