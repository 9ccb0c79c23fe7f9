package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many keys, some of which other transactions take at the same time. */
@EachServer
class TakeKeysRaceStoreIT extends TakeKeysFixture {

    @Test
    void triesSmallerChunksWhenAKeyIsTakenInBetween() {
        KeyClaim first = claim("k0700");
        CompletableFuture<Optional<KeyHolder>> other = hold(() -> enqueue.takeKey(first));
        CompletableFuture<List<Optional<KeyHolder>>> bulk = QueueFixture.runAsync(() -> take(many()));
        fixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(other);
        List<Optional<KeyHolder>> answers = QueueFixture.join(bulk);
        assertThat(answers.get(700)).contains(new KeyHolder(first.uid(), 0));
        assertThat(answers.stream().filter(Optional::isPresent)).hasSize(1);
        assertThat(fixture.count("acidq_key")).isEqualTo(MANY);
    }

    @Test
    void letsOneOfTwoBulksHaveAllTheirKeys() {
        List<CompletableFuture<List<Optional<KeyHolder>>>> bulks = Stream.of(many(), many())
                .map(claims -> QueueFixture.runAsync(() -> take(claims)))
                .toList();

        List<Long> got = bulks.stream()
                .map(b ->
                        QueueFixture.join(b).stream().filter(Optional::isEmpty).count())
                .sorted()
                .toList();
        assertThat(got).containsExactly(0L, (long) MANY);
    }
}
