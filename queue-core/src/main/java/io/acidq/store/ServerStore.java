package io.acidq.store;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
     * @param atMost seconds count, at least one
     * @return the position of the last commit then, the same when there was none in that time; empty when it cannot be compared,
     *     because another server answers
     */
    Optional<Commits> awaitCommitAfter(Commits last, Duration atMost);

    /** The settings of a session of the store. */
    SessionInfo session();

    /** Global settings of the server by their names in lower case, without those that it does not know. Empty for a server without such. */
    Map<String, String> settings(Collection<String> names);

    /**
     * Transactions of other sessions that have been open for longer, the oldest first, at most this many. Needs the privilege PROCESS. Empty
     * for a server without such.
     */
    List<OpenTransaction> openTransactions(Duration longerThan, int most);

    /**
     * Tries with two connections and a row that it removes again what the server does with locks; takes milliseconds, on a server that waits
     * where it should skip a second or two. A server that does not know SKIP LOCKED is not asked for it from then on.
     */
    Locking probeLocking();

    /**
     * The position of the last commit of a server.
     *
     * @param last  the running number of the last one that the server has numbered itself
     * @param count how many it has in all, those numbered by others too
     */
    record Commits(long last, long count) {}

    /**
     * A connection and its server.
     *
     * @param url       where the driver says that it leads, with its options; can hold a password
     * @param driver    the name of the driver
     * @param server    the product and its version
     * @param now       the server's clock
     * @param timeZone  the session's time zone, in the server's words
     * @param isolation the level of the store's own transactions, in the server's words
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
}
