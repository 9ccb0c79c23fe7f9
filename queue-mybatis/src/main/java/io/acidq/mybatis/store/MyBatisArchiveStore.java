package io.acidq.mybatis.store;

import io.acidq.ArchivedMessage;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.ArchiveStore;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Done messages that are kept. */
public final class MyBatisArchiveStore implements ArchiveStore {

    private final StoreTransactions transactions;

    public MyBatisArchiveStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<ArchivedMessage> find(QueueRow queue, UUID uid) {
        return transactions.once(
                "find",
                t -> Optional.ofNullable(t.mapper(ArchiveMapper.class).find(queue.id(), uid))
                        .map(row -> row.in(queue.name())));
    }

    @Override
    public List<ArchivedMessage> list(QueueRow queue, Instant from, Instant until, int limit) {
        return transactions.once(
                "list",
                t -> t
                        .mapper(ArchiveMapper.class)
                        .list(queue.id(), Micros.notBefore(from), Micros.notBefore(until), limit)
                        .stream()
                        .map(row -> row.in(queue.name()))
                        .toList());
    }
}
