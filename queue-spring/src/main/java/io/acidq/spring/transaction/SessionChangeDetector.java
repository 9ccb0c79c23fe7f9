package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.store.SqlClassifier;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Proxy for the connection that a worker keeps, and for its statements. It detects calls and statements that change the session, so that the
 * connection is discarded and no other message runs on it, and statements that callbacks execute after the end of the transaction.
 */
final class SessionChangeDetector implements InvocationHandler {

    private static final int MAX_TEXT_LENGTH = 200;

    /** The setters that change the session, each with its getter. */
    private static final Map<String, String> SETTINGS = Map.of(
            "setAutoCommit", "getAutoCommit",
            "setTransactionIsolation", "getTransactionIsolation",
            "setReadOnly", "isReadOnly",
            "setCatalog", "getCatalog",
            "setSchema", "getSchema",
            "setNetworkTimeout", "getNetworkTimeout");

    private final Object target;
    private final Session session;

    /** The proxy of the connection of a statement; null for the connection itself. */
    private final @Nullable Object connection;

    /** What {@code execute} without an argument runs: the text of a prepared statement, or the last one of a batch. */
    private @Nullable String text;

    private SessionChangeDetector(Object target, Session session, @Nullable Object connection, @Nullable String text) {
        this.target = target;
        this.session = session;
        this.connection = connection;
        this.text = text;
    }

    /**
     * Returns a proxy.
     *
     * @param session records what is done on the connection
     */
    static Connection over(Connection connection, Session session) {
        return proxy(Connection.class, new SessionChangeDetector(connection, session, null, null));
    }

    /** Returns the connection below the proxy, for the queue's own statements; the connection itself if it is no such proxy. */
    static Connection target(Connection connection) {
        return Proxy.isProxyClass(connection.getClass())
                        && Proxy.getInvocationHandler(connection) instanceof SessionChangeDetector detector
                ? (Connection) detector.target
                : connection;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        if (method.getName().equals("equals")) {
            return args != null && args[0] == proxy;
        }
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        String name = method.getName();
        String sql =
                args != null && args.length > 0 && args[0] instanceof String first && takesSql(name) ? first : null;
        if (sql != null) {
            session.record(sql);
            check(sql);
            if (name.equals("addBatch")) {
                text = sql;
            }
        } else if (connection != null && name.startsWith("execute")) {
            session.record(String.valueOf(text));
        } else if (connection != null && name.equals("getConnection")) {
            return connection;
        }
        if (connection == null && args != null && args.length > 0) {
            String getter = SETTINGS.get(name);
            if (getter != null && !args[args.length - 1].equals(value(getter))) {
                session.isChanged = true;
            }
        }
        try {
            Object result = method.invoke(target, args);
            if (connection != null) {
                return result;
            }
            if ((args == null || args.length == 0) && (name.equals("commit") || name.equals("rollback"))) {
                session.endTransaction();
            }
            return result instanceof Statement statement ? statement(statement, proxy, sql, args) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private Statement statement(Statement created, Object connection, @Nullable String sql, Object @Nullable [] args) {
        if (args != null && Arrays.asList(args).contains(ResultSet.CONCUR_UPDATABLE)) {
            session.hasUpdatableResult = true;
        }
        SessionChangeDetector detector = new SessionChangeDetector(created, session, connection, sql);
        if (created instanceof CallableStatement) {
            return proxy(CallableStatement.class, detector);
        }
        return created instanceof PreparedStatement
                ? proxy(PreparedStatement.class, detector)
                : proxy(Statement.class, detector);
    }

    private void check(String sql) {
        if (SqlClassifier.isOrdinary(sql)) {
            return;
        }
        if (SqlClassifier.setsAutocommit(sql)) {
            throw QueueMisuseException.withAction(
                    sql.substring(0, Math.min(sql.length(), MAX_TEXT_LENGTH))
                            + " was called in AcidQ's transaction: each later statement would commit alone, also if the message then"
                            + " fails",
                    "remove it. AcidQ itself commits when the handler returns and rolls back when it throws");
        }
        if (SqlClassifier.changesSession(sql) || SqlClassifier.endsTransaction(sql)) {
            session.isChanged = true;
        }
    }

    private @Nullable Object value(String getter) throws ReflectiveOperationException {
        return Connection.class.getMethod(getter).invoke(target);
    }

    private static boolean takesSql(String method) {
        return method.startsWith("execute") || method.startsWith("prepare") || method.equals("addBatch");
    }

    private static <T> T proxy(Class<T> type, SessionChangeDetector detector) {
        return type.cast(
                Proxy.newProxyInstance(SessionChangeDetector.class.getClassLoader(), new Class<?>[] {type}, detector));
    }

    /** The changes that were made on a connection. A handler may use it on several threads. */
    static final class Session {

        private volatile boolean isChanged;
        private volatile boolean isTransactionEnded;
        private volatile boolean hasUpdatableResult;
        private volatile @Nullable String statementAfterEnd;

        boolean isChanged() {
            return isChanged;
        }

        /** Forgets the changes, because the connection is another one. */
        void reset() {
            isChanged = false;
        }

        /** Expects a transaction. */
        void beginTransaction() {
            isTransactionEnded = false;
            hasUpdatableResult = false;
            statementAfterEnd = null;
        }

        private void endTransaction() {
            isTransactionEnded = true;
            statementAfterEnd = null;
        }

        /** Keeps the first statement after the end of the transaction, and rather one that writes. */
        private void record(String sql) {
            if (isTransactionEnded) {
                String kept = statementAfterEnd;
                if (kept == null || isQuery(kept)) {
                    statementAfterEnd = sql;
                }
            }
        }

        /** Returns whether a callback may have written after the end of the transaction. The rows of a result set are not observed. */
        boolean mayBeWrittenAfterEnd() {
            return statementAfterEnd != null || hasUpdatableResult;
        }

        /** Returns a statement that a callback has run after the end of the transaction; null if there is none. */
        @Nullable
        String statementAfterEnd() {
            return statementAfterEnd;
        }

        static boolean isQuery(String sql) {
            return sql.stripLeading().regionMatches(true, 0, "SELECT", 0, "SELECT".length());
        }
    }
}
