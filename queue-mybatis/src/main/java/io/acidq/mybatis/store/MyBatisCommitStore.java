package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.CommitStore;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Commits by the transaction numbers that MySQL gives with {@code gtid_mode=ON}. No other server tells any. */
public final class MyBatisCommitStore implements CommitStore {

    private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

    private final StoreTransactions transactions;
    private volatile String server = "";

    /** When to ask again a server that has told nothing; null after one that has. */
    private volatile @Nullable Long silentUntil;

    public MyBatisCommitStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<Commits> last() {
        Long silent = silentUntil;
        if (silent != null && System.nanoTime() - silent < 0) {
            return Optional.empty();
        }
        Executed executed = transactions.<@Nullable Executed>read(
                "last", t -> t.mapper(CommitMapper.class).executed());
        if (executed == null || executed.numbered() == 0) {
            silentUntil = System.nanoTime() + ASK_AGAIN_NANOS;
            return Optional.empty();
        }
        silentUntil = null;
        server = executed.server();
        return Gtids.commits(executed.gtids(), executed.server());
    }

    @Override
    public Optional<Commits> awaitAfter(Commits last, Duration atMost) {
        String waitedFor = server + ":" + (last.last() + 1);
        long seconds = Math.max(1, atMost.toSeconds());
        Awaited awaited = transactions.await(
                "awaitAfter", t -> t.mapper(CommitMapper.class).await(waitedFor, seconds));
        return awaited.server().equals(server) ? Gtids.commits(awaited.gtids(), awaited.server()) : Optional.empty();
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
     * @param server the server's own name in the numbers
     * @param gtids  the set of all that it has executed by then
     */
    record Awaited(int inVain, String server, String gtids) {}
}
