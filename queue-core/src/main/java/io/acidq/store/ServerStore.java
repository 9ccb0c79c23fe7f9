package io.acidq.store;

import io.acidq.QueueMisuseException;
import io.acidq.admin.PrivilegedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database server as a whole: its tables, its commits, its settings and what it does with locks. An account without the privilege for a
 * read gets a {@link QueueMisuseException} with the message of the server, which names the privilege.
 */
public interface ServerStore {

    /**
     * Compares the tables with those that this store needs; a few reads, which an engine makes at each start.
     *
     * @throws QueueMisuseException that names every difference and its fix
     */
    void checkTables();

    /**
     * Creates the tables that are missing, and changes no existing one; on a separate connection.
     *
     * @throws QueueMisuseException when this store cannot, or its user may not
     */
    void createTables();

    /** The position of the last commit of the server; empty when the server does not report it. A read. */
    Optional<Commits> lastCommit();

    /**
     * Waits in the server until a later transaction of any session has committed. A read.
     *
     * @param atMost a number of whole seconds, at least one
     * @return the position of the last commit then, the same when there was none in that time; empty when it cannot be compared,
     *     because another server answers
     */
    Optional<Commits> awaitCommitAfter(Commits last, Duration atMost);

    /**
     * Runs reads of this thread. The server ends each statement that takes longer than the limit: it fails with {@link DatabaseError#LOCK_TIMEOUT}.
     * Statements that change something have no limit. A server that knows none ignores it.
     */
    <T extends @Nullable Object> T withReadLimit(Duration limit, Supplier<T> reads);

    /** The settings of a session of the store. */
    SessionInfo session();

    /** Global settings of the server by their names in lower case, without those that it does not know. Empty if the server has no such settings. */
    Map<String, String> settings(Collection<String> names);

    /**
     * Transactions of other sessions that have been open for longer, the oldest first, at most this many. Needs the privilege PROCESS. Empty
     * if the server does not report transactions.
     */
    List<OpenTransaction> openTransactions(Duration longerThan, int limit);

    /**
     * The actions of operators that the account of the database may not do, each with the privileges that it lacks, such as
     * {@code DELETE on acidq_dead}. Some twenty short statements that change nothing. Empty on a server that does not check privileges so.
     */
    Map<PrivilegedAction, List<String>> missingPrivileges();

    /**
     * Tests the locks of the server with two connections and a row, which it removes again. Takes milliseconds, or a second or two on a server that
     * waits for locked rows instead of skipping them. From then on, no statement uses SKIP LOCKED if the server does not know it.
     */
    Locking probeLocking();

    /**
     * The position of the last commit of a server.
     *
     * @param last  the number of the last commit that the server has numbered itself
     * @param count the number of all commits, including those that other servers have numbered
     */
    record Commits(long last, long count) {}

    /**
     * A connection and its server.
     *
     * @param url       the URL that the driver reports, with its options; may contain a password
     * @param driver    the name of the driver
     * @param server    the product and its version
     * @param now       the server's clock
     * @param timeZone  the time zone of the session, as the server reports it
     * @param isolation the isolation level of the store's own transactions, as the server reports it
     */
    record SessionInfo(String url, String driver, String server, Instant now, String timeZone, String isolation) {}

    /**
     * A transaction that is open.
     *
     * @param connection   the number of its connection, as in SHOW PROCESSLIST
     * @param age          how long ago it began
     * @param rowsLocked   about how many rows it has locked
     * @param rowsModified how many rows it has changed
     */
    record OpenTransaction(long connection, Duration age, long rowsLocked, long rowsModified) {}

    /** How a server locks rows, found by a test; claims depend on it. */
    enum Locking {
        /** It locks, skips what is locked, and READ COMMITTED sees what was committed. */
        SKIPS("locks rows and skips locked ones"),
        /** It accepts SKIP LOCKED, and waits all the same. */
        WAITS("accepts SKIP LOCKED, but waits for locked rows instead of skipping them"),
        /** It does not know SKIP LOCKED; FOR UPDATE alone locks. */
        UNKNOWN("does not know SKIP LOCKED"),
        /** It accepts FOR UPDATE, and locks nothing. */
        LOCKS_NOTHING("accepts FOR UPDATE, but locks nothing"),
        /** A transaction at READ COMMITTED does not see what another has committed since its first read. */
        READS_OLD("does not show at READ COMMITTED what was committed since the first read of the transaction");

        private final String description;

        Locking(String words) {
            this.description = words;
        }

        /** Whether claims by lanes are quick and keep order. */
        public boolean isSound() {
            return this == SKIPS;
        }

        /** Whether claims by lanes at least keep order: a lane's lock holds, though others wait for it. */
        public boolean locksRows() {
            return this == SKIPS || this == WAITS || this == UNKNOWN;
        }

        /** Returns what the server does, in words that follow its name. */
        public String description() {
            return description;
        }
    }
}
