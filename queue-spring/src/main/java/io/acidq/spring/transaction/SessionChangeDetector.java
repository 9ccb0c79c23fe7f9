package io.acidq.spring.transaction;

import io.acidq.store.SqlClassifier;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Proxy for the connection that a worker keeps, and for its plain statements. It detects calls and statements that change the session, so that the
 * connection is discarded and no other message runs on it.
 */
final class SessionChangeDetector implements InvocationHandler {

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

    private SessionChangeDetector(Object target, Session session) {
        this.target = target;
        this.session = session;
    }

    /**
     * Returns a proxy.
     *
     * @param session records what is done on the connection
     */
    static Connection over(Connection connection, Session session) {
        return proxy(Connection.class, connection, session);
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
        if (args != null && args.length > 0) {
            if (args[0] instanceof String sql && takesSql(method)) {
                session.record(sql);
                check(sql);
            }
            String getter = target instanceof Connection ? SETTINGS.get(method.getName()) : null;
            if (getter != null && !args[args.length - 1].equals(value(getter))) {
                session.isChanged = true;
            }
        }
        try {
            Object result = method.invoke(target, args);
            if ((args == null || args.length == 0)
                    && (method.getName().equals("commit") || method.getName().equals("rollback"))) {
                session.endTransaction();
            }
            return method.getName().equals("createStatement")
                    ? proxy(Statement.class, (Statement) Objects.requireNonNull(result), session)
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private void check(String sql) {
        if (!SqlClassifier.isOrdinary(sql)
                && (SqlClassifier.changesSession(sql) || SqlClassifier.endsTransaction(sql))) {
            session.isChanged = true;
        }
    }

    private @Nullable Object value(String getter) throws ReflectiveOperationException {
        return Connection.class.getMethod(getter).invoke(target);
    }

    private static boolean takesSql(Method method) {
        String name = method.getName();
        return name.startsWith("execute") || name.startsWith("prepare") || name.equals("addBatch");
    }

    private static <T> T proxy(Class<T> type, T target, Session session) {
        return type.cast(Proxy.newProxyInstance(
                SessionChangeDetector.class.getClassLoader(),
                new Class<?>[] {type},
                new SessionChangeDetector(target, session)));
    }

    /** The changes that were made on a connection. A handler may use it on several threads. */
    static final class Session {

        private volatile boolean isChanged;
        private volatile boolean isTransactionEnded;
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
