package io.acidq.chaos.broken;

import io.acidq.store.ClaimStore;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Puts something else in the place of a port's methods. */
final class Swap {

    private Swap() {}

    /** The port, each of whose calls is handed over with a way to the real one. */
    static <P> P calls(Class<P> port, P real, Around around) {
        return port.cast(Proxy.newProxyInstance(
                Swap.class.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, args) -> around.call(method.getName(), args, () -> {
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }

    /** The port with one method that does something else. */
    static <P> P method(Class<P> port, P real, String method, Instead instead) {
        return calls(port, real, (name, args, onward) -> name.equals(method) ? instead.call(args) : onward.call());
    }

    static Store claims(Store store, ClaimStore claims) {
        return parts(store, claims, store.nodes(), store.maintenance(), store.server());
    }

    static Store maintenance(Store store, MaintenanceStore maintenance) {
        return parts(store, store.claims(), store.nodes(), maintenance, store.server());
    }

    static Store nodes(Store store, NodeStore nodes) {
        return parts(store, store.claims(), nodes, store.maintenance(), store.server());
    }

    static Store parts(
            Store store, ClaimStore claims, NodeStore nodes, MaintenanceStore maintenance, ServerStore server) {
        return new Store(
                store.transactions(),
                store.queues(),
                store.enqueue(),
                claims,
                nodes,
                maintenance,
                store.inbox(),
                store.dead(),
                store.inspection(),
                server);
    }

    /** A call that may go on, be counted, wait, or end here. */
    interface Around {
        Object call(String method, Object[] args, Onward onward) throws Throwable;
    }

    /** The call as it was meant. */
    interface Onward {
        Object call() throws Throwable;
    }

    /** What happens instead. */
    interface Instead {
        Object call(Object[] args) throws Throwable;
    }
}
