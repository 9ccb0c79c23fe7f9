package io.acidq.chaos.broken;

import io.acidq.store.ClaimStore;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Replaces methods of a port. */
final class PortProxy {

    private PortProxy() {}

    /** Passes each call of the port to an interceptor, which can make the original call. */
    static <P> P intercept(Class<P> port, P real, CallInterceptor callInterceptor) {
        return port.cast(Proxy.newProxyInstance(
                PortProxy.class.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, args) -> callInterceptor.call(method.getName(), args, () -> {
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }

    /** Replaces one method. */
    static <P> P replaceMethod(Class<P> port, P real, String method, Replacement replacement) {
        return intercept(
                port,
                real,
                (name, args, originalCall) -> name.equals(method) ? replacement.call(args) : originalCall.call());
    }

    static Store withClaims(Store store, ClaimStore claims) {
        return withParts(store, claims, store.nodes(), store.maintenance(), store.server());
    }

    static Store withMaintenance(Store store, MaintenanceStore maintenance) {
        return withParts(store, store.claims(), store.nodes(), maintenance, store.server());
    }

    static Store withNodes(Store store, NodeStore nodes) {
        return withParts(store, store.claims(), nodes, store.maintenance(), store.server());
    }

    static Store withParts(
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
                store.subscriptions(),
                store.recurring(),
                store.receipts(),
                store.history(),
                server);
    }

    /** Intercepts a call. */
    interface CallInterceptor {
        Object call(String method, Object[] args, OriginalCall originalCall) throws Throwable;
    }

    /** The original call. */
    interface OriginalCall {
        Object call() throws Throwable;
    }

    /** The replacement of a method. */
    interface Replacement {
        Object call(Object[] args) throws Throwable;
    }
}
