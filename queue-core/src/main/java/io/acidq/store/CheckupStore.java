package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What a server and a connection tell of themselves. Plain reads that lock nothing, each a short transaction of its own. An account that may
 * not look gets a {@link io.acidq.QueueMisuseException} in the server's words, which name the privilege.
 */
public interface CheckupStore {

    /** How the store's own transactions find the server. */
    SessionLook session();

    /** Global settings of the server by their names in lower case; those that it does not know are missing. Empty for a server without such. */
    Map<String, String> settings(Collection<String> names);

    /** Transactions of others that have been open for longer, the oldest first, at most so many. Needs the privilege PROCESS. Empty for a server without such. */
    List<OpenTransaction> openTransactions(Duration longerThan, int most);

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
    record SessionLook(String url, String driver, String server, Instant now, String timeZone, String isolation) {}

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
