package io.acidq.mybatis.session;

import io.acidq.AcidqException;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates database errors into exceptions that state what the caller can do. Errors are classified by vendor code, never by their text. */
public final class ExceptionTranslator {

    private static final Set<Integer> NO_TABLE_OR_COLUMN = Set.of(1146, 1054, 42102, 42103, 42104, 42122);
    private static final Set<Integer> NO_TABLE = Set.of(1146, 42102, 42103, 42104);

    /** Statements at the end of a handler's transaction. The tables were there when its message was claimed. */
    private static final Set<String> ACKNOWLEDGEMENTS = Set.of("ackIfClaimed", "ackAllIfClaimed", "archiveIfClaimed");

    private static final Set<Integer> NOT_GRANTED = Set.of(1142, 1143, 1044, 90096);
    private static final int PACKET_TOO_LARGE = 1153;
    private static final int READ_ONLY_TRANSACTION = 1792;
    private static final String READ_ONLY = ". The connection or its transaction is read-only: enqueue in one that may"
            + " write, so call setReadOnly(false) on it or take it from a pool that is not read-only";

    private ExceptionTranslator() {}

    /**
     * Returns the exception to throw.
     *
     * @param what    the name of the store's method
     * @param failure the exception of the database or of MyBatis
     */
    public static AcidqException translate(String what, Throwable failure) {
        if (failure instanceof AcidqException known) {
            return known;
        }
        SQLException sql = findSqlException(failure);
        if (sql == null) {
            return new QueueMisuseException(
                    what + " failed before it reached the database: " + failure
                            + ". If the cause is not in the DataSource or its driver, report it as a bug of AcidQ",
                    failure);
        }
        DatabaseError error = DatabaseError.of(sql);
        if (error != null && error.isTransient()) {
            return new TransientQueueException(
                    what + " could not be done now (" + error + ", code " + sql.getErrorCode() + "): "
                            + sql.getMessage(),
                    sql);
        }
        return new QueueMisuseException(what + " failed: " + sql.getMessage() + advice(what, sql.getErrorCode()), sql);
    }

    /**
     * Translates the failure of a statement on a connection. Drivers refuse to write on a read-only connection with messages and codes of their own.
     */
    static AcidqException translate(String what, Throwable failure, Connection connection) {
        AcidqException translated = translate(what, failure);
        return translated != failure && translated instanceof QueueMisuseException && isReadOnly(connection)
                ? new QueueMisuseException(translated.getMessage() + READ_ONLY, failure)
                : translated;
    }

    private static boolean isReadOnly(Connection connection) {
        try {
            return connection.isReadOnly();
        } catch (SQLException e) {
            return false;
        }
    }

    static QueueMisuseException unknownDatabase(String product, String version) {
        return new QueueMisuseException(
                "AcidQ runs on MySQL, MariaDB and, for development, H2; this database calls itself '" + product + "' "
                        + version + ": give AcidQ a DataSource of one of these");
    }

    private static String advice(String what, int code) {
        if (NO_TABLE.contains(code) && ACKNOWLEDGEMENTS.contains(what)) {
            return ". The table was there when the message was claimed, so the handler has probably changed the database of its connection, by USE or"
                    + " Connection.setCatalog: write the name of the other database before the names of its tables instead";
        }
        if (NO_TABLE_OR_COLUMN.contains(code)) {
            return ". The tables of AcidQ are missing or of another version here:"
                    + " create the schema with Schema.create or initialize-schema, and compare it with Schema.check";
        }
        if (NOT_GRANTED.contains(code)) {
            return ". Grant the user of this DataSource what Schema.grants says for its role, and CREATE if it is to create"
                    + " the tables";
        }
        if (code == PACKET_TOO_LARGE) {
            return ". Raise max_allowed_packet on the server, or lower maxPayloadBytes (acidq.max-payload-size)";
        }
        if (code == READ_ONLY_TRANSACTION) {
            return READ_ONLY;
        }
        return " (code " + code + ")";
    }

    private static @Nullable SQLException findSqlException(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
