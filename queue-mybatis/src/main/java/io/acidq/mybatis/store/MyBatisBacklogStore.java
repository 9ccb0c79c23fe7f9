package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.BacklogStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How much there is of a queue. */
public final class MyBatisBacklogStore implements BacklogStore {

    private final StoreTransactions transactions;

    public MyBatisBacklogStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Counts count(int queue, int most) {
        return transactions.once("count", t -> t.mapper(BacklogMapper.class).count(queue, most));
    }

    @Override
    public int countUnclaimed(int queue, int most) {
        return transactions.once(
                "countUnclaimed", t -> t.mapper(BacklogMapper.class).countUnclaimed(queue, most));
    }

    @Override
    public @Nullable Duration oldestUnclaimed(int queue) {
        return Micros.duration(transactions.<@Nullable Long>once(
                "oldestUnclaimed", t -> t.mapper(BacklogMapper.class).oldestUnclaimed(queue)));
    }
}
