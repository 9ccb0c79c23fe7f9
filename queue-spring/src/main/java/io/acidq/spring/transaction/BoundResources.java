package io.acidq.spring.transaction;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The resources that Spring has bound to the calling thread, such as connections, sessions and persistence contexts. A handler that binds one and leaves it
 * there would pass it to the next handler of the thread.
 */
final class BoundResources {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    private BoundResources() {}

    /** Returns the keys of the resources of the calling thread, by identity: a proxy of a {@code DataSource} may not equal itself. */
    static Set<Object> keys() {
        Set<Object> keys = Collections.newSetFromMap(new IdentityHashMap<>());
        keys.addAll(TransactionSynchronizationManager.getResourceMap().keySet());
        return keys;
    }

    /**
     * Unbinds and closes what a handler has bound to the thread and left there. To be called after its transaction, whose end releases what belongs to the
     * transaction.
     */
    static void releaseAllBut(Set<Object> keys) {
        for (Object key :
                List.copyOf(TransactionSynchronizationManager.getResourceMap().keySet())) {
            if (!keys.contains(key)) {
                Object resource = TransactionSynchronizationManager.unbindResource(key);
                log.warn(
                        "a handler has left a resource bound to thread {}: {}. AcidQ has unbound it{}",
                        Thread.currentThread().getName(),
                        key,
                        close(resource) ? ", and what it holds is closed" : "");
            }
        }
    }

    /**
     * Closes what a holder of Spring holds: a connection, or what its getters return and can be closed, such as the session of MyBatis, Hibernate or JMS. Returns
     * false if there is nothing to close. Other objects may be shared, and stay open.
     */
    static boolean close(Object resource) {
        if (!(resource instanceof ResourceHolder)) {
            return false;
        }
        Set<AutoCloseable> held = Collections.newSetFromMap(new IdentityHashMap<>());
        try {
            if (!(resource instanceof ConnectionHolder connections)) {
                for (Method getter : resource.getClass().getMethods()) {
                    addValue(resource, getter, held);
                }
            } else if (connections.getConnectionHandle() != null) {
                held.add(connections.getConnection());
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.warn("what {} holds could not be determined, and stays open", resource, e);
        }
        held.forEach(BoundResources::close);
        return !held.isEmpty();
    }

    private static void addValue(Object holder, Method getter, Set<AutoCloseable> held)
            throws ReflectiveOperationException {
        if (getter.getName().startsWith("get")
                && getter.getParameterCount() == 0
                && AutoCloseable.class.isAssignableFrom(getter.getReturnType())
                && getter.invoke(holder) instanceof AutoCloseable value) {
            held.add(value);
        }
    }

    private static void close(AutoCloseable held) {
        try (held) {
            if (held instanceof Connection connection && !connection.getAutoCommit()) {
                connection.rollback(); // not each pool does
            }
        } catch (SQLException e) {
            log.debug("a connection that a handler left open is lost", e);
        } catch (Exception e) { // it is closed already, or its connection is lost
            log.debug("{} could not be closed", held, e);
        }
    }
}
