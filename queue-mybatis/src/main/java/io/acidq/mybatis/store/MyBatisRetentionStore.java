package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.RetentionMapper.Expired;
import io.acidq.mybatis.store.RetentionMapper.ExpiredKey;
import io.acidq.mybatis.store.RetentionMapper.InboxKey;
import io.acidq.mybatis.store.RetentionMapper.OldDead;
import io.acidq.mybatis.store.RetentionMapper.OldDeath;
import io.acidq.mybatis.store.RetentionMapper.OldestAudit;
import io.acidq.mybatis.store.RetentionMapper.QueueName;
import io.acidq.store.Lane;
import io.acidq.store.RetentionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Removes rows that have outlived their time; the janitor calls all of it in a row, on one kept connection. */
public final class MyBatisRetentionStore implements RetentionStore {

    private static final Duration DEATHS_KEPT = Duration.ofDays(1);

    private final StoreTransactions transactions;

    /** Where the next look at message keys begins; of two threads at once the later one wins, and some keys are looked at twice. */
    private volatile @Nullable ExpiredKey lookedAt;

    private volatile @Nullable OldDeath lookedAtDeath;

    public MyBatisRetentionStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Pruned pruneInbox(int limit) {
        return transactions.often("pruneInbox", t -> {
            List<InboxKey> expired = t.mapper(RetentionMapper.class).lockExpiredInbox(limit);
            return new Pruned(delete(t, expired, RetentionMapper::deleteInbox), expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneKeys(int limit) {
        Lap<ExpiredKey> lap = transactions.often("pruneKeys", t -> {
            List<ExpiredKey> expired = t.mapper(RetentionMapper.class).lockExpiredKeys(lookedAt, limit);
            Set<UUID> living = living(t, expired, k -> new Lane(k.queue(), k.lane()), ExpiredKey::uid);
            List<ExpiredKey> free =
                    expired.stream().filter(k -> !living.contains(k.uid())).toList();
            return Lap.of(expired, limit, delete(t, free, RetentionMapper::deleteKey));
        });
        lookedAt = lap.last();
        return lap.pruned();
    }

    @Override
    public Pruned pruneDead(Function<String, @Nullable Duration> keep, int limit) {
        return transactions.often("pruneDead", t -> {
            RetentionMapper mapper = t.mapper(RetentionMapper.class);
            List<OldDead> old = new ArrayList<>();
            for (QueueName queue : mapper.queues()) {
                Duration kept = keep.apply(queue.name());
                if (kept != null && old.size() < limit) {
                    old.addAll(mapper.lockOldDead(queue.id(), -Micros.of(kept), limit - old.size()));
                }
            }
            return new Pruned(delete(t, old, RetentionMapper::deleteDead), old.size() == limit);
        });
    }

    @Override
    public Pruned pruneArchive(int limit) {
        return transactions.often("pruneArchive", t -> {
            List<Expired> expired = t.mapper(RetentionMapper.class).lockExpiredArchive(limit);
            return new Pruned(delete(t, expired, RetentionMapper::deleteArchive), expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneAudit(Duration age, int limit) {
        return transactions.often("pruneAudit", t -> {
            List<OldestAudit> old = t.mapper(RetentionMapper.class).oldestAudit(-Micros.of(age), limit).stream()
                    .filter(a -> a.expired() == 1)
                    .toList();
            return new Pruned(delete(t, old, (m, a) -> m.deleteAudit(a.id())), old.size() == limit);
        });
    }

    @Override
    public Pruned pruneNodes(Duration age, int limit) {
        return transactions.often("pruneNodes", t -> {
            RetentionMapper mapper = t.mapper(RetentionMapper.class);
            List<Integer> ended = mapper.lockEndedNodes(mapper.lastNode(), -Micros.of(age), limit);
            if (ended.isEmpty()) {
                return new Pruned(0, false);
            }
            Set<Integer> owners = new Owned(t.mapper(NodeMapper.class)).owners();
            List<Integer> idle = ended.stream().filter(n -> !owners.contains(n)).toList();
            return new Pruned(delete(t, idle, RetentionMapper::deleteNode), idle.size() == limit);
        });
    }

    @Override
    public Pruned pruneDeaths(int limit) {
        Lap<OldDeath> lap = transactions.often("pruneDeaths", t -> {
            List<OldDeath> old =
                    t.mapper(RetentionMapper.class).lockOldDeaths(lookedAtDeath, -Micros.of(DEATHS_KEPT), limit);
            Set<UUID> living = living(t, old, d -> new Lane(d.queue(), d.lane()), OldDeath::uid);
            List<OldDeath> free =
                    old.stream().filter(d -> !living.contains(d.uid())).toList();
            return Lap.of(old, limit, delete(t, free, RetentionMapper::deleteDeath));
        });
        lookedAtDeath = lap.last();
        return lap.pruned();
    }

    /**
     * A part of a way through a table, remembered when it is committed: the work may run again.
     *
     * @param last the row at which the next part begins; null when this was the last part
     */
    private record Lap<R>(@Nullable R last, Pruned pruned) {

        static <R> Lap<R> of(List<R> rows, int limit, int deleted) {
            boolean more = rows.size() == limit;
            return new Lap<>(more ? rows.get(limit - 1) : null, new Pruned(deleted, more));
        }
    }

    private static <R> int delete(
            StoreTransaction transaction, List<R> rows, BiConsumer<RetentionMapper, R> statement) {
        return rows.isEmpty()
                ? 0
                : transaction.batch(RetentionMapper.class, m -> rows.forEach(row -> statement.accept(m, row)));
    }

    /** Their rows are locked: nobody takes a key over meanwhile. A message that is gone does not come back. */
    private static <R> Set<UUID> living(
            StoreTransaction transaction, List<R> rows, Function<R, Lane> lane, Function<R, UUID> uid) {
        if (rows.isEmpty()) {
            return Set.of();
        }
        Set<Lane> lanes = rows.stream().map(lane).collect(Collectors.toSet());
        List<UUID> uids = rows.stream().map(uid).distinct().toList();
        return new HashSet<>(transaction.mapper(RetentionMapper.class).living(lanes, uids));
    }
}
