package io.acidq.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import javax.sql.DataSource;

/** A DataSource over a real server that simulates a missing or broken feature. */
public final class FaultyDataSource {

    private FaultyDataSource() {}

    /** The missing or broken feature. */
    public enum Defect {
        /** Rejects the syntax, as MySQL 5.7 and MariaDB 10.5 do. */
        DOES_NOT_KNOW_SKIP_LOCKED,
        /** Accepts the syntax, but waits for locks. */
        DOES_NOT_SKIP,
        /** Accepts the syntax, but locks nothing. */
        LOCKS_NOTHING,
        /** Reports READ COMMITTED, but keeps the snapshot of the first read. */
        SHOWS_OLD_ROWS,
        /** Neither accepts the syntax nor locks. */
        KNOWS_NO_LOCKS,
        /** Finds no row to delete. */
        DELETES_NOTHING;

        private boolean ignores(String method, Object[] args) {
            return this == SHOWS_OLD_ROWS
                    && method.equals("setTransactionIsolation")
                    && args[0].equals(Connection.TRANSACTION_READ_COMMITTED);
        }

        private String read(String sql) throws SQLException {
            if ((this == DOES_NOT_KNOW_SKIP_LOCKED || this == KNOWS_NO_LOCKS) && sql.contains("SKIP LOCKED")) {
                throw new SQLSyntaxErrorException(
                        "You have an error in your SQL syntax near 'SKIP LOCKED'", "42000", 1064);
            }
            return switch (this) {
                case DOES_NOT_SKIP -> sql.replace("SKIP LOCKED", "");
                case LOCKS_NOTHING -> sql.replaceAll("FOR UPDATE( SKIP LOCKED)?", "");
                case DELETES_NOTHING -> sql.replaceFirst("DELETE FROM (\\w+) WHERE", "DELETE FROM $1 WHERE 1 = 0 AND");
                case KNOWS_NO_LOCKS -> sql.replaceAll("FOR UPDATE(?! SKIP)", "");
                case DOES_NOT_KNOW_SKIP_LOCKED, SHOWS_OLD_ROWS -> sql;
            };
        }
    }

    public static DataSource that(Defect defect, DataSource target) {
        return proxy(DataSource.class, target, defect);
    }

    private static <T> T proxy(Class<T> face, Object of, Defect defect) {
        return face.cast(Proxy.newProxyInstance(
                FaultyDataSource.class.getClassLoader(), new Class<?>[] {face}, (p, method, args) -> {
                    if (defect.ignores(method.getName(), args)) {
                        return null;
                    }
                    if (method.getName().equals("prepareStatement")) {
                        args[0] = defect.read((String) args[0]);
                    }
                    try {
                        Object result = method.invoke(of, args);
                        return method.getName().equals("getConnection") && face == DataSource.class
                                ? proxy(Connection.class, result, defect)
                                : StatementRewriter.read(method, result, defect::read);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
