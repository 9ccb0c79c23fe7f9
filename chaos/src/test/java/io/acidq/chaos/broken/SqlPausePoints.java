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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A data source with pause points. Thread-safe. */
final class SqlPausePoints {

    private final List<SqlPausePoint> set = new CopyOnWriteArrayList<>();

    SqlPausePoint set(SqlPausePoint pausePoint) {
        set.add(pausePoint);
        return pausePoint;
    }

    void releaseAll() {
        set.forEach(SqlPausePoint::release);
    }

    /** Adds the pause points to a data source. */
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

    /** Records the statements of its transaction. */
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

    /** The call between two pause points. */
    private interface Work {
        Object run() throws Throwable;
    }

    /** A point in a node's SQL at which the first thread waits until it is released. */
    static final class SqlPausePoint {

        private static final long MAX_SECONDS = 8; // the server ends a claim's connection after ten

        private final Pattern sql;
        private final boolean after;
        private final AtomicBoolean armed = new AtomicBoolean(true);
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private SqlPausePoint(String sql, boolean after) {
            this.sql = Pattern.compile(sql);
            this.after = after;
        }

        static SqlPausePoint before(String sql) {
            return new SqlPausePoint(sql, false);
        }

        /** A commit matches as {@code COMMIT} followed by the statements of its transaction. */
        static SqlPausePoint after(String sql) {
            return new SqlPausePoint(sql, true);
        }

        void passes(String statement, boolean isOver) {
            if (isOver == after && sql.matcher(statement).find() && armed.compareAndSet(true, false)) {
                reached.countDown();
                await(released, "to be released from " + sql);
            }
        }

        boolean isReached() {
            return reached.getCount() == 0;
        }

        void awaitReached() {
            await(reached, "for a thread at " + sql);
        }

        void release() {
            armed.set(false);
            released.countDown();
        }

        private static void await(CountDownLatch latch, String what) {
            try {
                if (!latch.await(MAX_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("timeout while waiting " + what);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting " + what, e);
            }
        }
    }
}
