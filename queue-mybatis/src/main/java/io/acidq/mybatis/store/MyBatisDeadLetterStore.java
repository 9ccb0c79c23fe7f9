package io.acidq.mybatis.store;

import io.acidq.DeadLetter;
import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.UUID;

/** Dead letters. */
public final class MyBatisDeadLetterStore implements DeadLetterStore {

    private final ShortTransactions transactions;

    public MyBatisDeadLetterStore(ShortTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<DeadLetter> list(QueueRow queue, int limit) {
        return transactions.once(
                "list",
                t -> t.mapper(DeadLetterMapper.class).list(queue.id(), limit).stream()
                        .map(r -> r.in(queue.name()))
                        .toList());
    }

    @Override
    public boolean replayIfDead(UUID uid) {
        return transactions.once("replayIfDead", t -> {
            DeadLetterMapper mapper = t.mapper(DeadLetterMapper.class);
            boolean won = mapper.copyToHot(uid) == 1 && mapper.discardIfDead(uid) == 1;
            if (!won) {
                t.rollBack();
            }
            return won;
        });
    }

    @Override
    public boolean discardIfDead(UUID uid) {
        return transactions.once(
                "discardIfDead", t -> t.mapper(DeadLetterMapper.class).discardIfDead(uid) == 1);
    }
}
