package io.acidq.mybatis.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a transaction as observed by its {@link GuardedConnection}: what forbids the commit, and what forbids further use of the connection. After a
 * deadlock the database has rolled back everything, and with autocommit off the next statement silently begins another transaction. A handler that
 * swallows the error would commit half of its effects. Other threads may close statements and record a misuse.
 */
public final class TransactionState {

    private static final Logger LOG = LoggerFactory.getLogger("io.acidq");
    private static final int MAX_LENGTH = 80;

    /** Usually a few: a list costs each message less than a set. Guarded by itself. */
    private final List<Statement> openStatements = new ArrayList<>(4);

    private volatile @Nullable SQLException fatalError;
    private volatile @Nullable QueueMisuseException misuse;
    private volatile @Nullable String sessionChange;

    /** The statement whose savepoint is not yet released, or null. */
    private volatile @Nullable String unchecked;

    private final Thread thread = Thread.currentThread();
    private volatile boolean ended;

    private final SessionStatement setSavepoint;
    private final SessionStatement releaseSavepoint;
    private final SessionStatement setAutoCommitOff;

    /**
     * Creates the state of a transaction that has just begun on the calling thread.
     *
     * @param setSavepoint     sets a savepoint in the transaction
     * @param releaseSavepoint removes it, and throws if the transaction has ended since
     * @param setAutoCommitOff lets the session begin a transaction again
     */
    public TransactionState(
            SessionStatement setSavepoint, SessionStatement releaseSavepoint, SessionStatement setAutoCommitOff) {
        this.setSavepoint = setSavepoint;
        this.releaseSavepoint = releaseSavepoint;
        this.setAutoCommitOff = setAutoCommitOff;
    }

    /** The error with which the database ended the transaction, or null. */
    public @Nullable SQLException fatalError() {
        return fatalError;
    }

    /** The exception for a forbidden call of application code, or null. */
    public @Nullable QueueMisuseException misuse() {
        return misuse;
    }

    /** The call or statement that changed the session, or null. After such a change the connection must not be used again. */
    public @Nullable String sessionChange() {
        return sessionChange;
    }

    /** Records the end of the transaction: from now on its {@link GuardedConnection} refuses to be used. */
    public void recordEnd() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether the calling thread may use the connection: it is the thread of the transaction, and the transaction is open. */
    boolean isUsableHere() {
        return !ended && Thread.currentThread() == thread;
    }

    void recordOpened(Statement statement) {
        synchronized (openStatements) {
            openStatements.add(statement);
        }
    }

    void recordClosed(Statement statement) {
        synchronized (openStatements) {
            openStatements.removeIf(open -> open == statement);
        }
    }

    /**
     * Closes the statements that application code has left open, with their result sets: a result set that is read row by row from the server prevents
     * every other statement on its connection.
     */
    public void closeStatements() {
        List<Statement> open;
        synchronized (openStatements) {
            if (openStatements.isEmpty()) {
                return;
            }
            open = List.copyOf(openStatements);
            openStatements.clear();
        }
        for (Statement statement : open) {
            try {
                statement.close();
            } catch (SQLException | RuntimeException e) { // the connection is lost, which its next use shows
                LOG.debug("A statement that a handler left open could not be closed", e);
            }
        }
    }

    /** Prepares {@link #checkStillOpen}, before a statement that may run others which its text does not show. */
    void beforeOpaque(String sql) throws SQLException {
        checkStillOpen();
        setSavepoint.run();
        unchecked = sql;
    }

    /**
     * Checks that the last such statement has not ended the transaction. For a statement whose rows are still read from the server the check must wait
     * until it is closed.
     *
     * @throws QueueMisuseException if it has; the transaction must then not be committed
     */
    public void checkStillOpen() throws SQLException {
        String sql = unchecked;
        unchecked = null;
        if (sql == null || fatalError != null) { // after a deadlock the savepoint is gone too
            return;
        }
        try {
            releaseSavepoint.run();
        } catch (SQLException | RuntimeException e) {
            if (DatabaseError.of(e) != DatabaseError.NO_SAVEPOINT) { // such as a lost connection
                throw e;
            }
            QueueMisuseException ended = QueueMisuseException.withAction(
                    shortened(sql)
                            + " has ended the transaction that AcidQ owns, by a COMMIT, a ROLLBACK, SET autocommit or DDL that its text does not show. What was written before"
                            + " that is committed or lost, and what was written after it is rolled back",
                    "remove COMMIT, ROLLBACK, SET autocommit and DDL from what it runs, or run it outside of AcidQ's transaction",
                    e);
            misuse = ended;
            setAutoCommitOff.run(); // the statement may have set it: what follows must be rolled back
            throw ended;
        }
    }

    void recordSessionChange(String call) {
        sessionChange = shortened(call);
    }

    void recordError(SQLException e) {
        DatabaseError error = DatabaseError.of(e);
        if (fatalError == null && (error == DatabaseError.ROLLED_BACK || error == DatabaseError.CONNECTION)) {
            fatalError = e;
        }
        if (error
                == DatabaseError
                        .READ_ONLY_TRANSACTION) { // left by another user of the connection, which AcidQ has not seen
            recordSessionChange("SET SESSION TRANSACTION READ ONLY");
        }
    }

    QueueMisuseException recordMisuse(String call) {
        QueueMisuseException refused = new QueueMisuseException(shortened(call)
                + " was called inside a transaction that AcidQ owns, so the transaction is rolled back. AcidQ itself commits when the work"
                + " returns and rolls back when it throws. Remove the call: a commit or DDL would commit the effects without the message,"
                + " and after a change of the database AcidQ would not find its tables");
        misuse = refused;
        return refused;
    }

    /** Returns the exception for a call on another thread, which might come when the transaction has ended. */
    QueueMisuseException recordForeignThread(String call) {
        QueueMisuseException refused = QueueMisuseException.withAction(
                call + " was called on thread '" + Thread.currentThread().getName()
                        + "', but the transaction of this connection belongs to thread '" + thread.getName()
                        + "', so the transaction is rolled back",
                "call JdbcTransactions.connection() on the thread that uses it, and do not share what it returns; work of another thread needs a transaction of its"
                        + " own, by JdbcTransactions.run");
        misuse = refused;
        return refused;
    }

    /** Returns the exception for a call after the end of the transaction. It would write into a transaction of another message. */
    static QueueMisuseException useAfterEnd(String call) {
        return QueueMisuseException.withAction(
                call + " was called on a connection whose transaction has ended",
                "call JdbcTransactions.connection() in each transaction, and do not keep what it returns");
    }

    private static String shortened(String call) {
        return call.length() <= MAX_LENGTH ? call : call.substring(0, MAX_LENGTH) + "…";
    }

    /** A statement about the transaction of a session. */
    @FunctionalInterface
    public interface SessionStatement {
        void run() throws SQLException;
    }
}
