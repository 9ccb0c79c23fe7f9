package io.acidq.examples.jta;

import com.mysql.cj.jdbc.MysqlXADataSource;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** Stops at the first commit of a prepared branch: says so, and goes on when it reads a line. */
public final class PausingXaDataSource extends MysqlXADataSource {

    private static final long serialVersionUID = 1L;
    static final String PREPARED = "all branches are prepared";
    private static final AtomicBoolean HAS_PAUSED = new AtomicBoolean();

    @Override
    public XAConnection getXAConnection() throws SQLException {
        XAConnection connection = super.getXAConnection();
        return (XAConnection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {XAConnection.class},
                passing(
                        connection,
                        (name, result) -> result instanceof XAResource resource ? pausing(resource) : result));
    }

    private static XAResource pausing(XAResource resource) {
        InvocationHandler passing = passing(resource, (name, result) -> result);
        return (XAResource) Proxy.newProxyInstance(
                PausingXaDataSource.class.getClassLoader(),
                new Class<?>[] {XAResource.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("commit")
                            && Boolean.FALSE.equals(args[1])
                            && HAS_PAUSED.compareAndSet(false, true)) {
                        pause();
                    }
                    return passing.invoke(proxy, method, args);
                });
    }

    private static void pause() throws IOException {
        System.out.println(PREPARED);
        System.out.flush();
        while (System.in.read() != '\n') {}
    }

    private interface Passed {
        Object on(String name, Object result);
    }

    private static InvocationHandler passing(Object target, Passed passed) {
        return (proxy, method, args) -> {
            try {
                return passed.on(method.getName(), method.invoke(target, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }
}
