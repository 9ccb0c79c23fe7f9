package io.acidq.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Statement;

/** Wraps unprepared statements for a test that inspects or changes the SQL before execution. */
public final class StatementRewriter {

    private StatementRewriter() {}

    /** Receives the SQL of a statement and returns the SQL to execute. */
    @FunctionalInterface
    public interface SqlRewriter {
        String read(String sql) throws Exception;
    }

    /** Wraps the result of {@code createStatement}. Returns the result of any other method of a connection unchanged. */
    public static Object read(Method method, Object result, SqlRewriter sqlRewriter) {
        return method.getName().equals("createStatement") ? over((Statement) result, sqlRewriter) : result;
    }

    private static Statement over(Statement statement, SqlRewriter sqlRewriter) {
        return (Statement) Proxy.newProxyInstance(
                StatementRewriter.class.getClassLoader(), new Class<?>[] {Statement.class}, (p, method, args) -> {
                    if (method.getName().startsWith("execute") && args != null && args[0] instanceof String sql) {
                        args[0] = sqlRewriter.read(sql);
                    }
                    try {
                        return method.invoke(statement, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
