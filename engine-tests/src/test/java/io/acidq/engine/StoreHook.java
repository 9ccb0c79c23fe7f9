package io.acidq.engine;

import io.acidq.store.ClaimStore;
import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real store with a hook before each call on claims or on nodes: the hook may record the call, wait, or throw. */
final class StoreHook {

    private StoreHook() {}

    /** Called before a method with its name and arguments. */
    interface BeforeCall {
        void call(String method, Object[] args) throws Exception;
    }

    static Store beforeClaims(Store store, BeforeCall before) {
        return with(store, hooked(ClaimStore.class, store.claims(), before), store.nodes());
    }

    static Store beforeNodes(Store store, BeforeCall before) {
        return with(store, store.claims(), hooked(NodeStore.class, store.nodes(), before));
    }

    private static <T> T hooked(Class<T> type, T target, BeforeCall before) {
        return type.cast(Proxy.newProxyInstance(
                StoreHook.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    before.call(method.getName(), args);
                    try {
                        return method.invoke(target, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Store with(Store store, ClaimStore claims, NodeStore nodes) {
        return new Store(
                store.transactions(),
                store.queues(),
                store.enqueue(),
                claims,
                nodes,
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                store.subscriptions(),
                store.recurring(),
                store.receipts(),
                store.history(),
                store.server());
    }
}
