package io.acidq.engine;

import io.acidq.store.ClaimStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** A real store, before each of whose calls on claims something looks: it may write them down, or throw. */
final class ClaimStoreHook {

    private ClaimStoreHook() {}

    static Store of(Store store, BiConsumer<String, Object[]> before) {
        ClaimStore claims = (ClaimStore) Proxy.newProxyInstance(
                ClaimStoreHook.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> {
                    before.accept(method.getName(), args);
                    try {
                        return method.invoke(store.claims(), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new Store(
                store.transactions(),
                store.queues(),
                store.enqueue(),
                claims,
                store.nodes(),
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                store.server());
    }
}
