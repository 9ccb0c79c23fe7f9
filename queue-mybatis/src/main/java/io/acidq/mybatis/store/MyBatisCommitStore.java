package io.acidq.mybatis.store;

import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.store.CommitStore;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Commits by the transaction numbers that MySQL gives with {@code gtid_mode=ON}. No other server tells any. */
public final class MyBatisCommitStore implements CommitStore {

    private final ShortTransactions transactions;
    private volatile String server = "";

    public MyBatisCommitStore(ShortTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public OptionalLong last() {
        Executed executed = transactions.<@Nullable Executed>often(
                "last", t -> t.mapper(CommitMapper.class).executed());
        if (executed == null || executed.numbered() == 0) {
            return OptionalLong.empty();
        }
        server = executed.server();
        return Gtids.last(executed.gtids(), executed.server());
    }

    @Override
    public boolean awaitAfter(long last, Duration atMost) {
        String next = server + ":" + (last + 1);
        long seconds = Math.max(1, atMost.toSeconds());
        return transactions.often(
                "awaitAfter", t -> t.mapper(CommitMapper.class).await(next, seconds) == 0);
    }

    /**
     * What the server has executed.
     *
     * @param numbered whether it numbers transactions, 1 or 0
     * @param server   its own name in their numbers
     * @param gtids    the set of all
     */
    record Executed(int numbered, String server, String gtids) {}
}
