package io.acidq.mybatis.store;

import io.acidq.testservers.StatementRewriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** Runs an action once, before the first statement that contains a text. */
final class StatementHook {

    private final DataSource target;
    private final String text;
    private final Runnable action;
    private final AtomicBoolean hasRun = new AtomicBoolean();
    private final AtomicReference<Connection> last = new AtomicReference<>();

    StatementHook(DataSource target, String text, Runnable action) {
        this.target = target;
        this.text = text;
        this.action = action;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, target);
    }

    /** Reads a row in the transaction that is open on the connection taken last. */
    List<Object> rowOfLastConnection(String sql) {
        try {
            return QueueFixture.rows(last.get(), sql).get(0);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private <T> T proxy(Class<T> face, Object of) {
        return face.cast(Proxy.newProxyInstance(
                StatementHook.class.getClassLoader(), new Class<?>[] {face}, (p, method, args) -> {
                    if (method.getName().equals("prepareStatement")) {
                        read((String) args[0]);
                    }
                    try {
                        Object result = method.invoke(of, args);
                        if (face != DataSource.class || !method.getName().equals("getConnection")) {
                            return StatementRewriter.read(method, result, this::read);
                        }
                        last.set((Connection) result);
                        return proxy(Connection.class, result);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private String read(String sql) {
        if (sql.contains(text) && hasRun.compareAndSet(false, true)) {
            action.run();
        }
        return sql;
    }
}
