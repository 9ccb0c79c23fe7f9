package io.acidq.engine;

import io.acidq.testservers.StatementRewriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A pool, at each of whose statements and commits something looks: it may kill the connection, change its clock, or stand still. */
final class SqlHook {

    private SqlHook() {}

    /** Called on the thread that works, with the connection beneath. */
    interface SqlListener {

        /** A connection is about to be asked for. */
        default void beforeConnection() {}

        /** A statement is about to be prepared, or executed without that; or COMMIT to be sent, which is told as such. */
        default void before(Connection raw, String sql) throws SQLException {}

        /** The same, with the statements of the transaction before it. */
        default void before(Connection raw, String sql, List<String> earlier) throws SQLException {
            before(raw, sql);
        }

        /** COMMIT is about to be sent after these statements. */
        default void beforeCommit(List<String> statements) {}

        /** These statements are committed. */
        default void afterCommit(List<String> statements) {}
    }

    static DataSource over(DataSource pool, SqlListener sqlListener) {
        return proxy(DataSource.class, (proxy, method, args) -> {
            boolean asks = method.getName().equals("getConnection");
            if (asks) {
                sqlListener.beforeConnection();
            }
            Object result = call(pool, method, args);
            return asks ? connection((Connection) result, sqlListener) : result;
        });
    }

    private static Connection connection(Connection raw, SqlListener sqlListener) {
        List<String> statements = new ArrayList<>();
        return proxy(Connection.class, (proxy, method, args) -> {
            switch (method.getName()) {
                case "prepareStatement" -> before(raw, (String) args[0], statements, sqlListener);
                case "commit" -> {
                    sqlListener.before(raw, "COMMIT", List.copyOf(statements));
                    sqlListener.beforeCommit(statements);
                }
                case "rollback" -> statements.clear();
                default -> {}
            }
            Object result = call(raw, method, args);
            if (method.getName().equals("commit")) {
                sqlListener.afterCommit(statements);
                statements.clear();
            }
            return StatementRewriter.read(method, result, sql -> before(raw, sql, statements, sqlListener));
        });
    }

    private static String before(Connection raw, String sql, List<String> earlier, SqlListener sqlListener)
            throws SQLException {
        sqlListener.before(raw, sql, List.copyOf(earlier));
        earlier.add(sql);
        return sql;
    }

    private static <T> T proxy(Class<T> face, java.lang.reflect.InvocationHandler handler) {
        return face.cast(Proxy.newProxyInstance(SqlHook.class.getClassLoader(), new Class<?>[] {face}, handler));
    }

    private static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
