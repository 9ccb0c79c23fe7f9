package io.acidq.mybatis.store;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Many message keys at once. */
abstract class TakeKeysFixture extends StoreFixture {

    static final int MANY = 1203;

    List<KeyClaim> many() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> claim(String.format("k%04d", i)))
                .toList();
    }

    KeyClaim claim(String key) {
        return claim(key, QueueFixture.HOUR);
    }

    KeyClaim claim(String key, Duration window) {
        return new KeyClaim(fixture.queueId, key, UUID.randomUUID(), 0, Due.NOW, new Window(window, true));
    }

    List<Optional<KeyHolder>> take(List<KeyClaim> claims) {
        return transactions.call(() -> enqueue.takeKeys(claims));
    }
}
