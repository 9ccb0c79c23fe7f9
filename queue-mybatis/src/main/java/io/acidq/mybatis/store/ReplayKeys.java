package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.DeadLetterMapper.StrayKey;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The message keys of letters that are to be replayed. A dead letter holds its key, whatever its window, so there is nothing to do; unless
 * somebody has deleted rows of keys by hand, and other messages have taken them.
 */
final class ReplayKeys {

    private final KeyMapper keys;
    private final List<StrayKey> strays;

    ReplayKeys(StoreTransaction transaction, List<Letter> letters) {
        this.keys = transaction.mapper(KeyMapper.class);
        this.strays = letters.isEmpty()
                ? List.of()
                : transaction.mapper(DeadLetterMapper.class).strayKeys(letters);
    }

    /** Takes their keys for those that can have them; returns the letters whose keys are another message's. */
    Set<UUID> takeOrRefuse() {
        return strays.stream().filter(s -> !takes(s)).map(StrayKey::uid).collect(Collectors.toSet());
    }

    /** The letters that would be refused, without taking anything. */
    int refused() {
        return (int) strays.stream().filter(this::isHeld).count();
    }

    private boolean takes(StrayKey stray) {
        KeyClaim want = new KeyClaim(stray.queue(), stray.key(), stray.uid(), stray.lane(), Due.NOW, Duration.ZERO);
        Optional<KeyHolder> holder = new KeyTaking(keys, WantedKey.of(want)).take();
        return holder.isEmpty() || holder.get().uid().equals(stray.uid());
    }

    private boolean isHeld(StrayKey stray) {
        @Nullable UUID holder = stray.holder();
        @Nullable Integer lane = stray.holderLane();
        return holder != null && lane != null && (stray.expired() == 0 || keys.lives(stray.queue(), lane, holder) > 0);
    }
}
