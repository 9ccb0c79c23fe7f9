package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@EachStore
class TakeKeysStoreIT extends TakeKeysFixture {

    @Test
    void takesWhatIsFreeAndNamesTheHoldersOfTheRest() {
        KeyClaim third = claim("k0003");
        KeyClaim last = claim("k1202");
        assertThat(take(List.of(third, last))).containsOnly(Optional.empty());

        List<Optional<KeyHolder>> answers = take(many());

        assertThat(answers.get(3)).contains(new KeyHolder(third.uid(), 0));
        assertThat(answers.get(1202)).contains(new KeyHolder(last.uid(), 0));
        assertThat(answers.stream().filter(Optional::isEmpty)).hasSize(MANY - 2);
        assertThat(fixture.count("acidq_key")).isEqualTo(MANY);
    }

    @Test
    void passesExpiredKeysOnUnlessTheirMessageExists() {
        UUID living = fixture.enqueue(0, null, "a");
        take(List.of(
                claim("gone"),
                new KeyClaim(fixture.queueId, "living", living, 0, Due.NOW, new Window(QueueFixture.HOUR, true)),
                claim("open", Duration.ofDays(9))));
        fixture.passTwoHours();

        List<Optional<KeyHolder>> answers = take(List.of(claim("free"), claim("gone"), claim("living"), claim("open")));

        assertThat(answers.stream().map(Optional::isEmpty)).containsExactly(true, true, false, false);
        assertThat(answers.get(2)).contains(new KeyHolder(living, 0));
    }

    @Test
    void beginsAWindowAtTheEnqueueIfConfigured() {
        Due inNineDays = new Due(Duration.ofDays(9), null);
        take(List.of(new KeyClaim(
                fixture.queueId, "k", UUID.randomUUID(), 0, inNineDays, new Window(QueueFixture.HOUR, false))));

        assertThat(fixture.number(
                        "SELECT COUNT(*) FROM acidq_key WHERE queue = ? AND kept_until < due AND taken_at < kept_until",
                        fixture.queueId))
                .isEqualTo(1);
    }

    @Test
    void asksNothingWhenThereIsNothingToTake() {
        assertThat(take(List.of())).isEmpty();
    }
}
