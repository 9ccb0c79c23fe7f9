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

/** A pool with a listener at each statement and commit, which may kill the connection or wait. */
final class SqlHook {

    private SqlHook() {}

    /** Called on the thread of the statement, with the connection of the pool. */
    interface SqlListener {

        /** Called before a connection is requested. */
        default void beforeConnection() {}

        /** Called before a statement is prepared or executed, and before COMMIT, with the text {@code COMMIT}. */
        default void before(Connection raw, String sql) throws SQLException {}

        /** Called with the earlier statements of the transaction. */
        default void before(Connection raw, String sql, List<String> earlier) throws SQLException {
            before(raw, sql);
        }

        /** Called before the COMMIT of these statements. */
        default void beforeCommit(List<String> statements) {}

        /** Called after the COMMIT of these statements. */
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
