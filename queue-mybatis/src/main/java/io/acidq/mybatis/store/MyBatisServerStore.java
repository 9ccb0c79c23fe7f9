package io.acidq.mybatis.store;

import io.acidq.admin.PrivilegedAction;
import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.ReadTimeLimit;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.ServerMapper.Awaited;
import io.acidq.mybatis.store.ServerMapper.Executed;
import io.acidq.mybatis.store.ServerMapper.OpenTransactionRow;
import io.acidq.mybatis.store.ServerMapper.SessionRow;
import io.acidq.mybatis.store.ServerMapper.Setting;
import io.acidq.store.ServerStore;
import io.acidq.store.ServerStore.Commits;
import io.acidq.store.ServerStore.Locking;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Queries about the database server. Commits are detected by the transaction identifiers that MySQL assigns with {@code gtid_mode=ON}; other servers report
 * none.
 */
public final class MyBatisServerStore implements ServerStore {

    private static final long RETRY_AFTER_NANOS = Duration.ofSeconds(10).toNanos();

    private final MyBatisSessions sessions;
    private final StoreTransactions transactions;
    private final Runnable checkTables;
    private final Runnable createTables;
    private volatile String server = "";

    /** The time until which a server that reports no commits is not asked again; null if it reports them. */
    private volatile @Nullable Long noCommitsUntil;

    /**
     * Creates the store.
     *
     * @param checkTables  compares the tables with the definitions
     * @param createTables creates the missing tables
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
                "lastCommit", t -> t.mapper(ServerMapper.class).executed());
        if (executed == null || executed.numbered() == 0) {
            noCommitsUntil = System.nanoTime() + RETRY_AFTER_NANOS;
            return Optional.empty();
        }
        noCommitsUntil = null;
        server = executed.server();
        return commits(executed.gtids(), executed.server());
    }

    @Override
    public Optional<Commits> awaitCommitAfter(Commits last, Duration atMost) {
        String waitedFor = server + ":" + (last.last() + 1);
        long seconds = Math.max(1, atMost.toSeconds());
        Awaited awaited = transactions.await(
                "awaitCommitAfter", t -> t.mapper(ServerMapper.class).await(waitedFor, seconds));
        return awaited.server().equals(server) ? commits(awaited.gtids(), awaited.server()) : Optional.empty();
    }

    @Override
    public <T extends @Nullable Object> T withReadLimit(Duration limit, Supplier<T> reads) {
        return ReadTimeLimit.within(limit, reads);
    }

    @Override
    public SessionInfo session() {
        return transactions.runAndRelease("session", MyBatisServerStore::describe);
    }

    private static SessionInfo describe(StoreTransaction transaction) {
        SessionRow row = transaction.mapper(ServerMapper.class).session();
        try {
            DatabaseMetaData metaData = transaction.connection().getMetaData();
            return new SessionInfo(
                    Objects.requireNonNullElse(metaData.getURL(), ""),
                    metaData.getDriverName() + " " + metaData.getDriverVersion(),
                    metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(),
                    row.serverNow(),
                    row.timeZone(),
                    row.isolation());
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("session", e);
        }
    }

    @Override
    public Map<String, String> settings(Collection<String> names) {
        return transactions.runAndRelease(
                "settings",
                t -> t.hasStatement(ServerMapper.class, "settings")
                        ? t.mapper(ServerMapper.class).settings(names).stream()
                                .collect(Collectors.toMap(
                                        s -> s.variableName().toLowerCase(Locale.ROOT), Setting::value))
                        : Map.of());
    }

    @Override
    public List<OpenTransaction> openTransactions(Duration longerThan, int limit) {
        return transactions.runAndRelease(
                "openTransactions",
                t -> t.hasStatement(ServerMapper.class, "openTransactions")
                        ? t.mapper(ServerMapper.class).openTransactions(longerThan.toSeconds(), limit).stream()
                                .map(OpenTransactionRow::toOpenTransaction)
                                .toList()
                        : List.of());
    }

    @Override
    public Map<PrivilegedAction, List<String>> missingPrivileges() {
        return new OperatorPrivileges(transactions).missing();
    }

    @Override
    public Locking probeLocking() {
        return new LockProbe(sessions, transactions).probe();
    }

    /**
     * The commits of a set of global transaction identifiers, {@code uuid:1-5:7:tag:1-3,uuid:…}: how many there are, and the highest number that a
     * server has given without a tag; empty when it has given none.
     */
    static Optional<Commits> commits(String set, String server) {
        String own = server.toLowerCase(Locale.ROOT);
        OptionalLong last = OptionalLong.empty();
        long count = 0;
        for (String part : set.replaceAll("\\s", "").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] intervals = part.split(":", -1);
            count += count(intervals);
            if (intervals[0].equals(own)) {
                last = highest(intervals);
            }
        }
        return last.isEmpty() ? Optional.empty() : Optional.of(new Commits(last.getAsLong(), count));
    }

    private static OptionalLong highest(String[] intervals) {
        OptionalLong highest = OptionalLong.empty();
        for (int i = 1; i < intervals.length; i++) {
            if (!isInterval(intervals[i])) {
                break; // the following intervals have a tag
            }
            highest = OptionalLong.of(end(intervals[i]));
        }
        return highest;
    }

    private static long count(String[] intervals) {
        long count = 0;
        for (int i = 1; i < intervals.length; i++) {
            if (isInterval(intervals[i])) {
                int dash = intervals[i].indexOf('-');
                count += dash < 0 ? 1 : end(intervals[i]) - Long.parseLong(intervals[i].substring(0, dash)) + 1;
            }
        }
        return count;
    }

    /** Tags begin with a letter or an underscore. */
    private static boolean isInterval(String text) {
        return Character.isDigit(text.charAt(0));
    }

    private static long end(String interval) {
        return Long.parseLong(interval.substring(interval.indexOf('-') + 1));
    }
}
