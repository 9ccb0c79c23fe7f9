package io.acidq.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Statement;

/** A statement that is not prepared, for a test that reads its text before the server does. */
public final class StatementRewriter {

    private StatementRewriter() {}

    /** Reads a text, and gives the one that is to be executed. */
    @FunctionalInterface
    public interface SqlRewriter {
        String read(String sql) throws Exception;
    }

    /** What a call on a connection has returned: a statement that is not prepared, so that the reader comes first, or as it is. */
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
