package io.acidq.mybatis.store;

import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.CheckupMapper.OpenTransactionRow;
import io.acidq.mybatis.store.CheckupMapper.SessionRow;
import io.acidq.mybatis.store.CheckupMapper.Setting;
import io.acidq.mybatis.store.CommitMapper.Awaited;
import io.acidq.mybatis.store.CommitMapper.Executed;
import io.acidq.store.Locking;
import io.acidq.store.ServerStore;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The database server as a whole. Its commits are known by the transaction numbers that MySQL gives with {@code gtid_mode=ON}; no other server
 * tells any.
 */
public final class MyBatisServerStore implements ServerStore {

    private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

    private final MyBatisSessions sessions;
    private final StoreTransactions transactions;
    private final Runnable checkTables;
    private final Runnable createTables;
    private volatile String server = "";

    /** When to ask again a server that has told nothing of its commits; null after one that has. */
    private volatile @Nullable Long noCommitsUntil;

    /**
     * A server.
     *
     * @param checkTables  compares the tables with those that AcidQ needs
     * @param createTables creates those that are missing
     */
    public MyBatisServerStore(
            MyBatisSessions sessions, StoreTransactions transactions, Runnable checkTables, Runnable createTables) {
        this.sessions = sessions;
        this.transactions = transactions;
        this.checkTables = checkTables;
        this.createTables = createTables;
    }

    @Override
    public void checkTables() {
        checkTables.run();
    }

    @Override
    public void createTables() {
        createTables.run();
    }

    @Override
    public Optional<Commits> lastCommit() {
        Long silent = noCommitsUntil;
        if (silent != null && System.nanoTime() - silent < 0) {
            return Optional.empty();
        }
        Executed executed = transactions.<@Nullable Executed>read(
                "lastCommit", t -> t.mapper(CommitMapper.class).executed());
        if (executed == null || executed.numbered() == 0) {
            noCommitsUntil = System.nanoTime() + ASK_AGAIN_NANOS;
            return Optional.empty();
        }
        noCommitsUntil = null;
        server = executed.server();
        return Gtids.commits(executed.gtids(), executed.server());
    }

    @Override
    public Optional<Commits> awaitCommitAfter(Commits last, Duration atMost) {
        String waitedFor = server + ":" + (last.last() + 1);
        long seconds = Math.max(1, atMost.toSeconds());
        Awaited awaited = transactions.await(
                "awaitCommitAfter", t -> t.mapper(CommitMapper.class).await(waitedFor, seconds));
        return awaited.server().equals(server) ? Gtids.commits(awaited.gtids(), awaited.server()) : Optional.empty();
    }

    @Override
    public SessionInfo session() {
        return transactions.runAndRelease("session", MyBatisServerStore::describe);
    }

    private static SessionInfo describe(StoreTransaction transaction) {
        SessionRow line = transaction.mapper(CheckupMapper.class).session();
        try {
            DatabaseMetaData about = transaction.connection().getMetaData();
            return new SessionInfo(
                    Objects.requireNonNullElse(about.getURL(), ""),
                    about.getDriverName() + " " + about.getDriverVersion(),
                    about.getDatabaseProductName() + " " + about.getDatabaseProductVersion(),
                    line.serverNow(),
                    line.timeZone(),
                    line.isolation());
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("session", e);
        }
    }

    @Override
    public Map<String, String> settings(Collection<String> names) {
        return transactions.runAndRelease(
                "settings",
                t -> t.hasStatement(CheckupMapper.class, "settings")
                        ? t.mapper(CheckupMapper.class).settings(names).stream()
                                .collect(Collectors.toMap(
                                        s -> s.variableName().toLowerCase(Locale.ROOT), Setting::value))
                        : Map.of());
    }

    @Override
    public List<OpenTransaction> openTransactions(Duration longerThan, int most) {
        return transactions.runAndRelease(
                "openTransactions",
                t -> t.hasStatement(CheckupMapper.class, "openTransactions")
                        ? t.mapper(CheckupMapper.class).openTransactions(longerThan.toSeconds(), most).stream()
                                .map(OpenTransactionRow::toOpenTransaction)
                                .toList()
                        : List.of());
    }

    @Override
    public Locking probeLocking() {
        return new LockProbe(sessions, transactions).probe();
    }
}
