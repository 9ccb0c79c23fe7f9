package io.acidq.mybatis.store;

import io.acidq.mybatis.session.ShortTransaction;
import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.mybatis.store.RetentionMapper.ExpiredKey;
import io.acidq.mybatis.store.RetentionMapper.InboxKey;
import io.acidq.store.Lane;
import io.acidq.store.RetentionStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Removes rows that have outlived their time. So seldom that no connection is kept for it. */
public final class MyBatisRetentionStore implements RetentionStore {

    private final ShortTransactions transactions;

    /** Where the next look at message keys begins; of two threads at once the later one wins, and some keys are looked at twice. */
    private volatile @Nullable ExpiredKey lookedAt;

    public MyBatisRetentionStore(ShortTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Pruned pruneInbox(int limit) {
        return transactions.once("pruneInbox", t -> {
            List<InboxKey> expired = t.mapper(RetentionMapper.class).lockExpiredInbox(limit);
            int removed = expired.isEmpty() ? 0 : t.batch(RetentionMapper.class, m -> expired.forEach(m::deleteInbox));
            return new Pruned(removed, expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneKeys(int limit) {
        return transactions.once("pruneKeys", t -> {
            List<ExpiredKey> expired = t.mapper(RetentionMapper.class).lockExpiredKeys(lookedAt, limit);
            boolean more = expired.size() == limit;
            lookedAt = more ? expired.get(limit - 1) : null;
            List<ExpiredKey> free = withoutLiving(t, expired);
            int removed = free.isEmpty() ? 0 : t.batch(RetentionMapper.class, m -> free.forEach(m::deleteKey));
            return new Pruned(removed, more);
        });
    }

    /** The keys are locked: nobody takes them over meanwhile. A message that is gone does not come back. */
    private static List<ExpiredKey> withoutLiving(ShortTransaction transaction, List<ExpiredKey> keys) {
        if (keys.isEmpty()) {
            return keys;
        }
        Set<Lane> lanes = keys.stream().map(k -> new Lane(k.queue(), k.lane())).collect(Collectors.toSet());
        List<UUID> uids = keys.stream().map(ExpiredKey::uid).toList();
        Set<UUID> living =
                new HashSet<>(transaction.mapper(RetentionMapper.class).living(lanes, uids));
        return keys.stream().filter(k -> !living.contains(k.uid())).toList();
    }
}
