package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.InboxStore.AtomicWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@EachStore
class InboxStoreIT extends StoreFixture {

    final String consumer = "c-" + UUID.randomUUID();

    @Test
    void givesAFreeKeyAndTellsTheNextWhenItWasTaken() {
        assertThat(take("k")).isEmpty();
        Map<String, Instant> again = take("k");

        assertThat(again).containsOnlyKeys("k");
        take("later");
        assertThat(Duration.between(again.get("k"), take("later").get("later")))
                .isBetween(Duration.ZERO, Duration.ofMinutes(1));
        assertThat(take("k")).isEqualTo(again);
    }

    @Test
    void refusesASecondTakingInTheSameTransactionWhichStaysUsable() {
        transactions.run(() -> {
            assertThat(takeHere("k")).isEmpty();
            assertThat(takeHere("k")).containsOnlyKeys("k");
            assertThat(takeHere("l")).isEmpty();
        });

        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void freesAKeyWithTheRollbackOfItsTaker() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    takeHere("k");
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(take("k")).isEmpty();
    }

    @Test
    void tellsKeysApartByTheirBytes() {
        List<String> keys =
                List.of("a", "A", "á", "a ", "a\u0000", "\u0000", "🦊", "x".repeat(255), "x".repeat(254) + "y");

        keys.forEach(k -> assertThat(take(k)).as(k).isEmpty());
        keys.forEach(k -> assertThat(take(k)).as(k).containsOnlyKeys(k));
        assertThat(take(Set.copyOf(keys))).containsOnlyKeys(keys);
    }

    @Test
    void tellsKeysApartByTheirConsumers() {
        assertThat(take("k")).isEmpty();

        assertThat(transactions.<Map<String, Instant>, RuntimeException>call(
                        () -> store.inbox().takeIfFree(consumer + "-X", Set.of("k"), QueueFixture.HOUR)))
                .isEmpty();
        assertThat(transactions.<Map<String, Instant>, RuntimeException>call(
                        () -> store.inbox().takeIfFree(consumer + "-x", Set.of("k"), QueueFixture.HOUR)))
                .isEmpty();
    }

    @Test
    void neverCutsALongKeyShort() {
        assertThatThrownBy(() -> take("x".repeat(256))).isInstanceOf(QueueMisuseException.class);

        assertThat(rows()).isZero();
    }

    @Test
    void takesManyAndTellsWhichWereTaken() {
        List<String> keys = IntStream.range(0, 1700).mapToObj(i -> "key-" + i).toList();
        assertThat(take(keys.subList(400, 900))).isEmpty();

        assertThat(take(keys)).containsOnlyKeys(keys.subList(400, 900));
        assertThat(take(keys)).containsOnlyKeys(keys);
        assertThat(rows()).isEqualTo(1700);
    }

    @Test
    void passesAKeyOnAfterItsWindow() {
        Instant first = firstDoneAt("k");
        passTwoHours();

        assertThat(take("k")).isEmpty();
        assertThat(take("k").get("k")).isAfter(first);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void passesOnOnlyTheExpiredOfMany() {
        take(List.of("a", "c"));
        passTwoHours();
        take("b");

        assertThat(take(List.of("a", "b", "c", "d"))).containsOnlyKeys("b");
        assertThat(take(List.of("a", "b", "c", "d"))).containsOnlyKeys("a", "b", "c", "d");
    }

    @Test
    void undoesAPartThatThrowsAlsoWhenTheCallerSwallowsItAndCommits() {
        transactions.run(() -> {
            enqueue.insert(List.of(fixture.message(0, null, "before")));
            assertThatThrownBy(() -> part(() -> {
                        takeHere("k");
                        enqueue.insert(List.of(fixture.message(0, null, "within")));
                        throw new IllegalStateException("no stock");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no stock")
                    .hasNoSuppressedExceptions();
            enqueue.insert(List.of(fixture.message(0, null, "after")));
        });

        assertThat(rows()).isZero();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("before", "after");
        assertThat(take("k")).isEmpty();
    }

    @Test
    void leavesAnExpiredKeyExpiredWhenThePartThatTookItOverThrows() {
        take("k");
        passTwoHours();
        transactions.run(() -> assertThatThrownBy(() -> part(() -> {
                    assertThat(takeHere("k")).isEmpty();
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock"));

        assertThat(take("k")).isEmpty();
    }

    @Test
    void undoesAnInnerPartWithoutTheOuterAndBothWithTheOuter() {
        transactions.run(() -> part(() -> {
            takeHere("outer");
            assertThatThrownBy(() -> part(() -> {
                        takeHere("inner");
                        throw new IllegalStateException("inner");
                    }))
                    .hasMessage("inner");
            return part(() -> takeHere("second"));
        }));
        assertThat(take(List.of("outer", "inner", "second"))).containsOnlyKeys("outer", "second");

        transactions.run(() -> {
            assertThatThrownBy(() -> part(() -> {
                        takeHere("x");
                        part(() -> takeHere("y"));
                        throw new IllegalStateException("outer");
                    }))
                    .hasMessage("outer");
        });
        assertThat(take(List.of("x", "y"))).isEmpty();
    }

    @Test
    void freesTheKeyWhenTheCallerRollsBackToASavepointBeforeIt() throws Exception {
        transactions.run(() -> {
            var connection = transactions.connection();
            var before = connection.setSavepoint("mine");
            part(() -> takeHere("k"));
            connection.rollback(before);
            assertThat(part(() -> takeHere("l"))).isEmpty();
        });

        assertThat(take(List.of("k", "l"))).containsOnlyKeys("l");
    }

    @Test
    void needsATransaction() {
        assertThatThrownBy(() -> takeHere("k"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("takeIfFree needs a transaction");
        assertThatThrownBy(() -> part(() -> 1))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("allOrNothing needs a transaction");
    }

    Map<String, Instant> take(String key) {
        return take(Set.of(key));
    }

    Map<String, Instant> take(Collection<String> keys) {
        return transactions.call(() -> store.inbox().takeIfFree(consumer, keys, QueueFixture.HOUR));
    }

    Map<String, Instant> takeHere(String key) {
        return store.inbox().takeIfFree(consumer, Set.of(key), QueueFixture.HOUR);
    }

    <T extends @Nullable Object> T part(AtomicWork<T, RuntimeException> work) {
        return store.inbox().allOrNothing(work);
    }

    private Instant firstDoneAt(String key) {
        assertThat(take(key)).isEmpty();
        return take(key).get(key);
    }

    /** Moves the ends of this consumer's windows into the past. */
    void passTwoHours() {
        fixture.execute(
                "UPDATE acidq_inbox SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until) WHERE consumer = ?", consumer);
    }

    long rows() {
        return fixture.number("SELECT COUNT(*) FROM acidq_inbox WHERE consumer = ?", consumer);
    }
}
