package io.acidq.test;

import io.acidq.config.Listener;
import io.acidq.engine.EngineDefinition;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ServerStore;
import io.acidq.store.ServerStore.Locking;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import io.acidq.telemetry.SafeTelemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Gives a simulated process the store and the transactions of the engine under test: either the real ones, or ones that join the transaction of the test and never
 * commit. The engine itself does not change.
 */
final class EngineView {

    private final EngineDefinition definition;
    private final TestTables tables;
    private final Store joined;
    private @Nullable Locking locking;

    EngineView(EngineDefinition definition, TestTables tables) {
        this.definition = definition;
        this.tables = tables;
        this.joined = MyBatisStore.joined(joined(definition.store().transactions()));
        definition.listeners().forEach(l -> definition.store().queues().openQueue(l.queue()));
    }

    /** Returns transactions that join the transaction of the test. A failure rolls back to a savepoint; nothing is committed. */
    private static Transactions joined(Transactions transactions) {
        return new DelegatingTransactions(transactions) {
            @Override
            public <T> T inNew(Callable<T> work) throws Exception {
                TransactionSavepoint before = savepoint("acidq_test");
                try {
                    return work.call();
                } catch (Throwable e) {
                    try {
                        before.rollback();
                    } catch (RuntimeException lost) { // the database has rolled back the whole transaction of the test
                        e.addSuppressed(lost);
                    }
                    throw e;
                }
            }

            /** Does nothing, because the connection belongs to the test. */
            @Override
            public Runnable connectionAborter() {
                return () -> {};
            }
        };
    }

    /**
     * Returns the store of the simulated process.
     *
     * @param inside whether to use the transaction on this thread
     */
    Store store(boolean inside) {
        return inside ? joined : definition.store();
    }

    EngineDefinition of(boolean inside, SimulatedProcess process) {
        List<Listener<?>> listeners = new ArrayList<>();
        definition.listeners().forEach(listener -> listeners.add(process.crashable(listener)));
        return new EngineDefinition(
                crashable(store(inside), inside, process),
                definition.config(),
                definition.codec(),
                listeners,
                definition.recurring(),
                definition.startedLater(),
                definition.policies(),
                definition.interceptors(),
                definition.workerThreads(),
                SafeTelemetry.of(List.of(definition.telemetry(), process)),
                definition.receiptSignals(),
                definition.history(),
                definition.hasTelemetry());
    }

    /** Reads committed queues, because the snapshot of a transaction can be older than a queue that it has just used. */
    private Store crashable(Store store, boolean inside, SimulatedProcess process) {
        return new Store(
                process.crashable(store.transactions()),
                definition.store().queues(),
                store.enqueue(),
                crashable(store.claims(), inside, process),
                store.nodes(),
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                store.subscriptions(),
                store.recurring(),
                store.receipts(),
                store.history(),
                intercepted(
                        ServerStore.class,
                        store.server(),
                        (method, args, call) -> method.equals("probeLocking") ? locking() : call.proceed()));
    }

    private ClaimStore crashable(ClaimStore claims, boolean inside, SimulatedProcess process) {
        return intercepted(ClaimStore.class, claims, (method, args, call) -> {
            if (inside && method.equals("lanesWithWork")) {
                return tables.lanes(Objects.requireNonNull(joined.transactions().current())).stream()
                        .filter(lane -> ((Collection<?>) args[0]).contains(lane.queue()))
                        .toList();
            }
            process.requireAlive();
            Object result = call.proceed();
            if (result instanceof Claimed claimed && !claimed.messages().isEmpty()) {
                process.reach(CrashPoint.AFTER_CLAIM);
            }
            return result;
        });
    }

    /** Probes the locking of the server once, with two separate connections, because the transaction of the test would wait for itself. */
    private Locking locking() {
        Locking known = locking;
        if (known == null) {
            known = definition.store().server().probeLocking();
            locking = known;
        }
        return known;
    }

    /** Returns a view of a part of a store whose calls go through the interceptor. */
    static <T> T intercepted(Class<T> type, T part, CallInterceptor interceptor) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> interceptor.call(method.getName(), args, () -> {
                    try {
                        return method.invoke(part, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                })));
    }

    /** Decides what a call of a store does. */
    interface CallInterceptor {

        @Nullable
        Object call(String method, Object[] args, StoreCall call) throws Throwable;
    }

    /** The call as the store would execute it. */
    interface StoreCall {

        @Nullable
        Object proceed() throws Throwable;
    }
}
