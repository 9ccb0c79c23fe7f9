package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A bulk that meets others at its keys. */
@EachServer
class TakeKeysRaceStoreIT extends TakeKeysFixture {

    @Test
    void triesSmallerPiecesWhenSomebodyTakesAKeyInBetween() {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        KeyClaim first = claim("k0700");
        CompletableFuture<Boolean> other =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    enqueue.takeKey(first);
                    taken.countDown();
                    QueueFixture.await(end);
                    return true;
                }));
        QueueFixture.await(taken);
        CompletableFuture<List<Optional<KeyHolder>>> bulk = QueueFixture.runAsync(() -> take(many()));
        queueFixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(other);
        List<Optional<KeyHolder>> answers = QueueFixture.join(bulk);
        assertThat(answers.get(700)).contains(new KeyHolder(first.uid(), 0));
        assertThat(answers.stream().filter(Optional::isPresent)).hasSize(1);
        assertThat(queueFixture.count("acidq_key")).isEqualTo(MANY);
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
