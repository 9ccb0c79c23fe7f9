package io.acidq.chaos.broken;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** A node's way to the database, in which traps can be set. Thread-safe. */
final class SqlPausePoints {

    private final List<SqlPausePoint> set = new CopyOnWriteArrayList<>();

    SqlPausePoint set(SqlPausePoint sqlPausePoint) {
        set.add(sqlPausePoint);
        return sqlPausePoint;
    }

    void releaseAll() {
        set.forEach(SqlPausePoint::release);
    }

    /** The same, led past the traps. */
    DataSource over(DataSource real) {
        return proxy(DataSource.class, (proxy, method, args) -> {
            Object result = invoke(real, method, args);
            return result instanceof Connection connection
                    ? proxy(Connection.class, new ConnectionHandler(connection))
                    : result;
        });
    }

    private Object passing(String statement, Work work) throws Throwable {
        set.forEach(t -> t.passes(statement, false));
        Object result = work.run();
        set.forEach(t -> t.passes(statement, true));
        return result;
    }

    private static Object invoke(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> face, InvocationHandler handler) {
        return face.cast(Proxy.newProxyInstance(SqlPausePoints.class.getClassLoader(), new Class<?>[] {face}, handler));
    }

    /** Remembers what was done in its transaction. */
    private final class ConnectionHandler implements InvocationHandler {

        private final Connection real;
        private final StringBuilder done = new StringBuilder();

        ConnectionHandler(Connection real) {
            this.real = real;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            if (method.getName().equals("commit")) {
                String all = "COMMIT " + done;
                done.setLength(0);
                return passing(all, () -> SqlPausePoints.invoke(real, method, args));
            }
            if (method.getName().equals("rollback") && args == null) {
                done.setLength(0);
            }
            Object result = SqlPausePoints.invoke(real, method, args);
            if (result instanceof PreparedStatement prepared) {
                String sql = plain((String) args[0]);
                return proxy(PreparedStatement.class, (p, m, a) -> execute(prepared, sql, m, a));
            }
            return result instanceof Statement statement
                    ? proxy(Statement.class, (p, m, a) -> execute(statement, "", m, a))
                    : result;
        }

        private Object execute(Statement statement, String prepared, Method method, Object[] args) throws Throwable {
            if (!method.getName().startsWith("execute")) {
                return SqlPausePoints.invoke(statement, method, args);
            }
            String sql = args != null && args[0] instanceof String text ? plain(text) : prepared;
            done.append(sql).append("; ");
            return passing(sql, () -> SqlPausePoints.invoke(statement, method, args));
        }

        private static String plain(String sql) {
            return sql.strip().replaceAll("\\s+", " ");
        }
    }

    /** What stands between two points. */
    private interface Work {
        Object run() throws Throwable;
    }
}
