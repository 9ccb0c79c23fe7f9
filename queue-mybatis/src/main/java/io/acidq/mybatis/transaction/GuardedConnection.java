package io.acidq.mybatis.transaction;

import io.acidq.store.SqlClassifier;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proxy for a connection or one of its statements. It refuses calls and statements that end or change the transaction, and records every database error
 * in the {@link TransactionState}. Result sets are guarded only if they are streamed from the server. The proxy works in its transaction and on the thread
 * of that transaction only: the connection behind it serves other transactions later.
 */
public final class GuardedConnection implements InvocationHandler {

    private static final Set<String> ENDINGS =
            Set.of("commit", "close", "setAutoCommit", "abort", "setCatalog", "setSchema");

    /** The setters that change the session, each with its getter. */
    private static final Map<String, String> SETTINGS = Map.of(
            "setTransactionIsolation", "getTransactionIsolation",
            "setReadOnly", "isReadOnly",
            "setNetworkTimeout", "getNetworkTimeout");

    private final Object target;
    private final Class<?> type;
    private final TransactionState state;
    private final @Nullable Object parent;

    /** Of a statement: the SQL that it runs if that may run other statements which it does not show, else null. */
    private volatile @Nullable String opaque;

    private GuardedConnection(Object target, Class<?> type, TransactionState state, @Nullable Object parent) {
        this.target = target;
        this.type = type;
        this.state = state;
        this.parent = parent;
    }

    /** Returns the connection for application code. */
    public static Connection over(Connection connection, TransactionState state) {
        return proxy(Connection.class, new GuardedConnection(connection, Connection.class, state, null));
    }

    /** Returns the connection below the guard, for statements of the store; the connection itself if it has no guard. */
    public static Connection target(Connection connection) {
        GuardedConnection guard = guardOf(connection);
        return guard == null ? connection : (Connection) guard.target;
    }

    /** Records an error of a statement that ran on the {@linkplain #target target}. */
    public static void recordError(Connection connection, SQLException error) {
        GuardedConnection guard = guardOf(connection);
        if (guard != null) {
            guard.state.recordError(error);
        }
    }

    private static @Nullable GuardedConnection guardOf(Connection connection) {
        return Proxy.isProxyClass(connection.getClass())
                        && Proxy.getInvocationHandler(connection) instanceof GuardedConnection guard
                ? guard
                : null;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return onObject(proxy, method, args);
        }
        if (!state.isUsableHere()) {
            return onUnusable(proxy, method, args);
        }
        if (method.getDeclaringClass() == Wrapper.class && args != null && ((Class<?>) args[0]).isInstance(proxy)) {
            return method.getName().equals("unwrap") ? proxy : true;
        }
        if (type == Connection.class && isEnding(method)) {
            throw state.recordMisuse("Connection." + method.getName());
        }
        String given = null;
        if (args != null && args.length > 0 && args[0] instanceof String sql && takesSql(method) && check(sql)) {
            given = sql;
        }
        if (args != null && type == Connection.class && SETTINGS.containsKey(method.getName())) {
            check(method, args);
        }
        if (parent != null
                && (method.getName().equals("getConnection") || method.getName().equals("getStatement"))) {
            return parent;
        }
        if (type != Connection.class && method.getName().equals("close") && target instanceof Statement statement) {
            state.recordClosed(statement);
        }
        if (given != null && method.getName().equals("addBatch")) {
            opaque = given;
        }
        String executed = given == null ? opaque : given;
        if (executed != null
                && target instanceof Statement statement
                && method.getName().startsWith("execute")) {
            return executeOpaque(executed, statement, proxy, method, args);
        }
        Object result = call(proxy, method, args);
        if (given != null
                && result != null
                && Proxy.isProxyClass(result.getClass())
                && Proxy.getInvocationHandler(result) instanceof GuardedConnection prepared) {
            prepared.opaque = given;
        }
        return result;
    }

    /** Answers a call after the end of the transaction, or on another thread: only calls that run no statement are allowed. */
    private @Nullable Object onUnusable(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        boolean ended = state.hasEnded();
        switch (method.getName()) {
            case "isClosed" -> {
                return ended || (boolean) method.invoke(target, args);
            }
            case "isValid" -> {
                if (ended) {
                    return false;
                }
            }
            case "close" -> {
                if (type == Connection.class && ended) {
                    return null; // as JDBC says of a closed connection
                }
                if (type != Connection.class) {
                    return call(proxy, method, args); // as at the end of a try block
                }
            }
            case "cancel" -> {
                if (!ended) {
                    return call(proxy, method, args); // which is for other threads
                }
            }
            default -> {}
        }
        String call = type.getSimpleName() + "." + method.getName();
        throw ended ? TransactionState.useAfterEnd(call) : state.recordForeignThread(call);
    }

    /** Runs a statement that may end the transaction without showing it, and checks whether it did, also if it failed. */
    private @Nullable Object executeOpaque(
            String sql, Statement statement, Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        state.beforeOpaque(sql);
        Object result;
        try {
            result = call(proxy, method, args);
        } catch (Throwable failure) {
            try {
                state.checkStillOpen();
            } catch (SQLException | RuntimeException ended) {
                failure.addSuppressed(ended);
            }
            throw failure;
        }
        if (statement.getFetchSize() == 0) { // otherwise its rows may still be on their way: checked before the commit
            state.checkStillOpen();
        }
        return result;
    }

    private @Nullable Object call(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        try {
            return guarded(proxy, method.invoke(target, args));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof SQLException sql) {
                state.recordError(sql);
            }
            throw cause == null ? e : cause;
        }
    }

    /** Checks a statement. Returns whether it may run others that its text does not show. */
    private boolean check(String sql) {
        if (SqlClassifier.isOrdinary(sql)) {
            return false;
        }
        if (SqlClassifier.endsTransaction(sql)) {
            throw state.recordMisuse(sql);
        }
        if (SqlClassifier.changesSession(sql)) {
            state.recordSessionChange(sql);
        }
        return SqlClassifier.runsOthers(sql);
    }

    /** Setting the current value is not a change. */
    private void check(Method setter, Object[] args) throws ReflectiveOperationException {
        String reader = SETTINGS.get(setter.getName());
        Object before = Connection.class.getMethod(String.valueOf(reader)).invoke(target);
        if (!args[args.length - 1].equals(before)) {
            state.recordSessionChange("Connection." + setter.getName());
        }
    }

    private Object onObject(Object proxy, Method method, Object @Nullable [] args) {
        return switch (method.getName()) {
            case "equals" -> args != null && args[0] == proxy;
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "guarded " + target;
        };
    }

    /** Application code may call rollback(Savepoint), but not rollback(). */
    private static boolean isEnding(Method method) {
        return ENDINGS.contains(method.getName())
                || (method.getName().equals("rollback") && method.getParameterCount() == 0);
    }

    private static boolean takesSql(Method method) {
        String name = method.getName();
        return name.startsWith("execute") || name.startsWith("prepare") || name.equals("addBatch");
    }

    private @Nullable Object guarded(Object proxy, @Nullable Object result) throws SQLException {
        if (result == null) {
            return null;
        }
        Class<?> face = null;
        if (result instanceof CallableStatement) {
            face = CallableStatement.class;
        } else if (result instanceof PreparedStatement) {
            face = PreparedStatement.class;
        } else if (result instanceof Statement) {
            face = Statement.class;
        } else if (result instanceof DatabaseMetaData) {
            face = DatabaseMetaData.class; // it leads back to the connection
        } else if (result instanceof ResultSet
                && target instanceof Statement statement
                && statement.getFetchSize() != 0) {
            face = ResultSet.class;
        }
        if (result instanceof Statement statement && parent == null) {
            state.recordOpened(statement);
        }
        return face == null ? result : proxy(face, new GuardedConnection(result, face, state, proxy));
    }

    private static <T> T proxy(Class<T> face, InvocationHandler handler) {
        return face.cast(
                Proxy.newProxyInstance(GuardedConnection.class.getClassLoader(), new Class<?>[] {face}, handler));
    }
}
