package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.ClaimEndings.OwnedClaims;
import io.acidq.mybatis.store.MaintenanceMapper.DueRow;
import io.acidq.mybatis.store.MaintenanceMapper.Expired;
import io.acidq.mybatis.store.MaintenanceMapper.ExpiredKey;
import io.acidq.mybatis.store.MaintenanceMapper.InboxKey;
import io.acidq.mybatis.store.MaintenanceMapper.OldAttempt;
import io.acidq.mybatis.store.MaintenanceMapper.OldCrash;
import io.acidq.mybatis.store.MaintenanceMapper.OldDead;
import io.acidq.mybatis.store.MaintenanceMapper.OldestAudit;
import io.acidq.mybatis.store.QueueMapper.NumberAndName;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Moves due messages into their lanes and removes old rows. An engine runs all removals in sequence, on one kept connection. */
public final class MyBatisMaintenanceStore implements MaintenanceStore {

    /** The most messages that one transaction moves. */
    private static final int ROWS_PER_TRANSACTION = 500;

    /** The time to wait if no due messages could be moved because another node moves them. */
    private static final Duration WAIT_FOR_OTHER_MOVER = Duration.ofMillis(20);

    /** The most messages that one statement looks for in all tables, which fit into a packet of 64 KB. */
    private static final int MAX_IDS_OF_STATEMENT = 300;

    private static final Duration CRASH_RETENTION = Duration.ofDays(1);

    private final StoreTransactions transactions;

    /** The key at which the next removal continues. After a race of two threads, some keys are checked twice. */
    private volatile @Nullable ExpiredKey lastCheckedKey;

    private volatile @Nullable OldCrash lastCheckedCrash;

    public MyBatisMaintenanceStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Moved moveDue() {
        Long first = nextDueMicros(); // usually no message is due
        if (first == null || first > 0) {
            return new Moved(List.of(), Microseconds.duration(first));
        }
        List<Integer> queues = transactions.readInTurn(
                "moveDue", t -> t.mapper(MaintenanceMapper.class).queuesDue());
        List<Lane> lanes = new ArrayList<>();
        String obstacle = null;
        for (int queue : queues) {
            Moved moved = transactions.runInTurn("moveDue", t -> move(t, queue));
            lanes.addAll(moved.lanes());
            obstacle = obstacle == null ? moved.obstacle() : obstacle;
        }
        Long next = nextDueMicros();
        if (next != null && next <= 0 && queues.isEmpty()) {
            // all due messages are of queues whose rows are lost: they wait until a listener adds their queue
            next = transactions.<@Nullable Long>readInTurn(
                    "moveDue", t -> t.mapper(MaintenanceMapper.class).nextDueMicrosOfQueues());
        }
        if (next != null && next <= 0) {
            return new Moved(lanes, lanes.isEmpty() ? WAIT_FOR_OTHER_MOVER : Duration.ZERO, obstacle);
        }
        return new Moved(lanes, Microseconds.duration(next), obstacle);
    }

    private @Nullable Long nextDueMicros() {
        return transactions.<@Nullable Long>readInTurn(
                "moveDue", t -> t.mapper(MaintenanceMapper.class).nextDueMicros());
    }

    private static Moved move(StoreTransaction transaction, int queue) {
        MaintenanceMapper mapper = transaction.mapper(MaintenanceMapper.class);
        if (mapper.lockQueue(queue) == null) {
            return nothing(transaction, null);
        }
        List<DueRow> due = mapper.pickDue(queue, ROWS_PER_TRANSACTION);
        List<DueRow> rows = lock(mapper, due);
        if (rows.isEmpty()) {
            return nothing(
                    transaction,
                    due.isEmpty()
                            ? null
                            : "other transactions have locked all of " + due.size() + " due messages of queue number "
                                    + queue + " in acidq_scheduled: look for a transaction that stays open");
        }
        int copied = mapper.copyToLane(ids(rows));
        int deleted = transaction.batch(MaintenanceMapper.class, m -> rows.forEach(m::deleteMoved));
        if (copied != rows.size() || deleted != rows.size()) {
            return nothing(
                    transaction,
                    "of " + rows.size() + " locked messages of queue number " + queue + " in acidq_scheduled, " + copied
                            + " were copied to acidq_message and " + deleted + " deleted, and the move was rolled back:"
                            + " look for a trigger on these tables, or for an option of the driver that changes times or update counts");
        }
        return new Moved(
                rows.stream().map(r -> new Lane(queue, r.lane())).distinct().toList(), null);
    }

    private static Moved nothing(StoreTransaction transaction, @Nullable String obstacle) {
        transaction.setRollbackOnly();
        return new Moved(List.of(), null, obstacle);
    }

    /** Omits rows that another transaction has locked, and the later rows of their ordering keys. */
    private static List<DueRow> lock(MaintenanceMapper mapper, List<DueRow> rows) {
        if (rows.isEmpty()) {
            return rows;
        }
        Set<DueRow> locked = new HashSet<>(mapper.lockDue(ids(rows)));
        Set<String> skipped = new HashSet<>();
        List<DueRow> got = new ArrayList<>();
        for (DueRow row : rows) {
            if (locked.contains(row) && !skipped.contains(row.orderingKey())) {
                got.add(row);
            } else if (!row.orderingKey().isEmpty()) {
                skipped.add(row.orderingKey());
            }
        }
        return got;
    }

    private static List<Long> ids(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).toList();
    }

    @Override
    public Pruned pruneInbox(int limit) {
        return transactions.runInTurn("pruneInbox", t -> {
            List<InboxKey> expired = t.mapper(MaintenanceMapper.class).lockExpiredInbox(limit);
            return new Pruned(delete(t, expired, MaintenanceMapper::deleteInbox), expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneKeys(int limit) {
        int rows = Math.min(limit, MAX_IDS_OF_STATEMENT);
        PruneStep<ExpiredKey> pruneStep = transactions.runInTurn("pruneKeys", t -> {
            List<ExpiredKey> expired = t.mapper(MaintenanceMapper.class).lockExpiredKeys(lastCheckedKey, rows);
            Set<UUID> living = living(t, expired, k -> new Lane(k.queue(), k.lane()), ExpiredKey::uid);
            List<ExpiredKey> free =
                    expired.stream().filter(k -> !living.contains(k.uid())).toList();
            return PruneStep.of(expired, rows, delete(t, free, MaintenanceMapper::deleteKey));
        });
        lastCheckedKey = pruneStep.last();
        return pruneStep.pruned();
    }

    @Override
    public Pruned pruneDead(Function<String, @Nullable Duration> retention, int limit) {
        return transactions.runInTurn("pruneDead", t -> {
            MaintenanceMapper mapper = t.mapper(MaintenanceMapper.class);
            List<OldDead> old = new ArrayList<>();
            for (NumberAndName queue : mapper.queues()) {
                Duration kept = retention.apply(queue.name());
                if (kept != null && old.size() < limit) {
                    old.addAll(mapper.lockOldDead(queue.id(), -Microseconds.of(kept), limit - old.size()));
                }
            }
            new ReceiptEndings(t.mapper(ReceiptMapper.class))
                    .expire(old.stream().map(OldDead::uid).toList());
            return new Pruned(delete(t, old, MaintenanceMapper::deleteDead), old.size() == limit);
        });
    }

    @Override
    public Pruned pruneArchive(int limit) {
        return transactions.runInTurn("pruneArchive", t -> {
            List<Expired> expired = t.mapper(MaintenanceMapper.class).lockExpiredArchive(limit);
            return new Pruned(delete(t, expired, MaintenanceMapper::deleteArchive), expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneReceipts(int limit) {
        return transactions.runInTurn("pruneReceipts", t -> {
            ReceiptMapper mapper = t.mapper(ReceiptMapper.class);
            List<UUID> expired = mapper.lockExpired(limit);
            if (expired.isEmpty()) {
                return new Pruned(0, false);
            }
            mapper.mark(Collections.max(expired, ReceiptEndings::compare));
            int removed = t.batch(ReceiptMapper.class, m -> expired.forEach(m::delete));
            return new Pruned(removed, expired.size() == limit);
        });
    }

    @Override
    public Pruned pruneAudit(Duration retention, int limit) {
        return transactions.runInTurn("pruneAudit", t -> {
            List<OldestAudit> old =
                    t.mapper(MaintenanceMapper.class).oldestAudit(-Microseconds.of(retention), limit).stream()
                            .filter(a -> a.expired() == 1)
                            .toList();
            return new Pruned(delete(t, old, (m, a) -> m.deleteAudit(a.id())), old.size() == limit);
        });
    }

    @Override
    public Pruned pruneNodes(Duration retention, int limit) {
        return transactions.runInTurn("pruneNodes", t -> {
            MaintenanceMapper mapper = t.mapper(MaintenanceMapper.class);
            List<Integer> ended = mapper.lockEndedNodes(mapper.lastNode(), -Microseconds.of(retention), limit);
            if (ended.isEmpty()) {
                return new Pruned(0, false);
            }
            Set<Integer> owners = new OwnedClaims(t.mapper(NodeMapper.class)).owners();
            List<Integer> idle = ended.stream().filter(n -> !owners.contains(n)).toList();
            if (!idle.isEmpty()) {
                t.batch(NodeMapper.class, m -> idle.forEach(m::removeReport));
            }
            return new Pruned(delete(t, idle, MaintenanceMapper::deleteNode), idle.size() == limit);
        });
    }

    @Override
    public Pruned pruneCrashes(int limit) {
        int rows = Math.min(limit, MAX_IDS_OF_STATEMENT);
        PruneStep<OldCrash> pruneStep = transactions.runInTurn("pruneCrashes", t -> {
            List<OldCrash> old = t.mapper(MaintenanceMapper.class)
                    .lockOldCrashes(lastCheckedCrash, -Microseconds.of(CRASH_RETENTION), rows);
            Set<UUID> living = living(t, old, d -> new Lane(d.queue(), d.lane()), OldCrash::uid);
            List<OldCrash> free =
                    old.stream().filter(d -> !living.contains(d.uid())).toList();
            return PruneStep.of(old, rows, delete(t, free, MaintenanceMapper::deleteCrash));
        });
        lastCheckedCrash = pruneStep.last();
        return pruneStep.pruned();
    }

    @Override
    public Pruned pruneAttempts(Duration retention, int limit) {
        return transactions.runInTurn("pruneAttempts", t -> {
            List<OldAttempt> old =
                    t.mapper(MaintenanceMapper.class).lockOldAttempts(-Microseconds.of(retention), limit);
            return new Pruned(delete(t, old, MaintenanceMapper::deleteAttempt), old.size() == limit);
        });
    }

    /**
     * One step through a table. The store remembers it after the commit, because the work of a transaction may be repeated.
     *
     * @param last the row at which the next step begins; null if this was the last step
     */
    private record PruneStep<R>(@Nullable R last, Pruned pruned) {

        static <R> PruneStep<R> of(List<R> rows, int limit, int deleted) {
            boolean more = rows.size() == limit;
            return new PruneStep<>(more ? rows.get(limit - 1) : null, new Pruned(deleted, more));
        }
    }

    private static <R> int delete(
            StoreTransaction transaction, List<R> rows, BiConsumer<MaintenanceMapper, R> statement) {
        return rows.isEmpty()
                ? 0
                : transaction.batch(MaintenanceMapper.class, m -> rows.forEach(row -> statement.accept(m, row)));
    }

    /** Returns the messages that still exist. The rows are locked, so that no other transaction takes a key over, and a removed message does not return. */
    private static <R> Set<UUID> living(
            StoreTransaction transaction, List<R> rows, Function<R, Lane> lane, Function<R, UUID> uid) {
        if (rows.isEmpty()) {
            return Set.of();
        }
        Set<Lane> lanes = rows.stream().map(lane).collect(Collectors.toSet());
        List<UUID> uids = rows.stream().map(uid).distinct().toList();
        return new HashSet<>(transaction.mapper(MaintenanceMapper.class).living(lanes, uids));
    }
}
