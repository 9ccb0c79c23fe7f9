package io.acidq.engine;

import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real store, before each of whose calls on nodes something looks, and may make it wait. */
final class NodeStoreHook {

    private NodeStoreHook() {}

    static Store of(Store store, BeforeCall before) {
        NodeStore nodes = (NodeStore) Proxy.newProxyInstance(
                NodeStoreHook.class.getClassLoader(), new Class<?>[] {NodeStore.class}, (proxy, method, args) -> {
                    before.at(method.getName());
                    try {
                        return method.invoke(store.nodes(), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new Store(
                store.transactions(),
                store.queues(),
                store.enqueue(),
                store.claims(),
                nodes,
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                store.server());
    }

    /** What happens before a call. */
    interface BeforeCall {
        void at(String call) throws Exception;
    }
}
