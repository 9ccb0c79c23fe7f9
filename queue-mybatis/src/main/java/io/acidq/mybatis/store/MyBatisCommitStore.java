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
        Executed executed = transactions.<@Nullable Executed>read(
                "last", t -> t.mapper(CommitMapper.class).executed());
        if (executed == null || executed.numbered() == 0) {
            return OptionalLong.empty();
        }
        server = executed.server();
        return Gtids.last(executed.gtids(), executed.server());
    }

    @Override
    public OptionalLong awaitAfter(long last, Duration atMost) {
        String waitedFor = server;
        String next = waitedFor + ":" + (last + 1);
        long seconds = Math.max(1, atMost.toSeconds());
        Awaited awaited = transactions.read(
                "awaitAfter", t -> t.mapper(CommitMapper.class).await(next, seconds));
        return awaited.inVain() == 0 ? Gtids.last(awaited.gtids(), waitedFor) : OptionalLong.empty();
    }

    /**
     * What the server has executed.
     *
     * @param numbered whether it numbers transactions, 1 or 0
     * @param server   its own name in their numbers
     * @param gtids    the set of all
     */
    record Executed(int numbered, String server, String gtids) {}

    /**
     * How a wait ended.
     *
     * @param inVain whether the time was over, 1 or 0
     * @param gtids  the set of all that the server has executed by then
     */
    record Awaited(int inVain, String gtids) {}
}
