package io.acidq.mybatis.session;

import java.util.regex.Pattern;
import org.apache.ibatis.annotations.Param;

/** Statements that read and change the settings of a session. */
interface SessionMapper {

    /** Sets READ COMMITTED for the next transaction only. */
    void readCommittedOnce();

    /** Returns the isolation level of the session as the server writes it. */
    String isolation();

    /** Sets the isolation level of later transactions of the session. */
    void setIsolation(@Param("level") String level);

    /** Sets the savepoint that shows whether the transaction still exists. */
    void setSavepoint();

    /** Removes that savepoint. Fails if the transaction in which it was set has ended. */
    void releaseSavepoint();

    /** Lets the session begin a transaction again. */
    void setAutoCommitOff();

    SessionSettings settings();

    /** Sets the settings that differ, of which there is at least one. */
    void change(@Param("from") SessionSettings from, @Param("to") SessionSettings to);

    /**
     * Settings of a session that limit its statements or change their meaning.
     *
     * @param rowWait          the longest wait for a row lock, in seconds
     * @param tableWait        the longest wait for a table lock while the table is altered, in seconds
     * @param idle             the longest wait for the next statement in seconds, after which the server closes the connection
     * @param statementMicros  the longest time of a statement, 0 for no limit
     * @param safeUpdates      1 if changes must use a key; MariaDB also refuses joins of which one side is a list of values
     * @param bigSelects       0 if the server refuses queries that it expects to read many rows
     * @param selectLimit      the most rows of a result
     * @param completionType   what a COMMIT or ROLLBACK begins or closes
     * @param sqlMode          the SQL mode
     * @param maxAllowedPacket the most bytes of a statement, which a session cannot change
     */
    record SessionSettings(
            long rowWait,
            long tableWait,
            long idle,
            long statementMicros,
            int safeUpdates,
            int bigSelects,
            String selectLimit,
            String completionType,
            String sqlMode,
            long maxAllowedPacket) {

        private static final String NO_LIMIT = "18446744073709551615";
        private static final Pattern EMPTY_STRING_IS_NULL =
                Pattern.compile(",?EMPTY_STRING_IS_NULL$|EMPTY_STRING_IS_NULL,");

        /** Returns settings with the same waits, with which every statement of the store means what its text says and is not refused. */
        SessionSettings unlimited() {
            return withWaits(rowWait, tableWait, idle);
        }

        /** Returns the settings with these waits, in seconds. */
        SessionSettings withWaits(long row, long table, long untilNext) {
            String mode = EMPTY_STRING_IS_NULL.matcher(sqlMode).replaceFirst("");
            return new SessionSettings(row, table, untilNext, 0, 0, 1, NO_LIMIT, "NO_CHAIN", mode, maxAllowedPacket);
        }
    }
}
