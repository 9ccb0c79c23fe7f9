package io.acidq.test;

import io.acidq.config.Listener;
import io.acidq.engine.EngineDefinition;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.Locking;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import io.acidq.telemetry.SafeTelemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The view of a simulated process on the parts of an engine, over committed data or in the transaction of the test. The engine itself does not change. */
final class EngineView {

    private final EngineDefinition definition;
    private final TestTables tables;
    private final Store joined;
    private @Nullable Locking locking;

    EngineView(EngineDefinition definition, TestTables tables) {
        this.definition = definition;
        this.tables = tables;
        this.joined =
                MyBatisStore.joined(new JoinedTransactions(definition.store().transactions()));
        definition.listeners().forEach(l -> definition.store().queues().openQueue(l.queue()));
    }

    /**
     * Returns the store of the simulated process.
     *
     * @param inside whether to use the transaction on this thread
     */
    Store store(boolean inside) {
        return inside ? joined : definition.store();
    }

    EngineDefinition of(boolean inside, SimulatedProcess simulatedProcess, RecordedOutcomes recordedOutcomes) {
        ObservedHandlers observedHandlers = new ObservedHandlers(simulatedProcess);
        List<Listener<?>> listeners = new ArrayList<>();
        definition.listeners().forEach(listener -> listeners.add(observedHandlers.listener(listener)));
        return new EngineDefinition(
                crashable(store(inside), inside, simulatedProcess),
                definition.config(),
                definition.codec(),
                listeners,
                definition.startedLater(),
                definition.policies(),
                definition.interceptors(),
                definition.workerThreads(),
                SafeTelemetry.of(List.of(definition.telemetry(), recordedOutcomes)));
    }

    /** Reads committed queues, because the snapshot of a transaction can be older than a queue that it has just used. */
    private Store crashable(Store store, boolean inside, SimulatedProcess simulatedProcess) {
        return new Store(
                new CrashingTransactions(store.transactions(), simulatedProcess),
                definition.store().queues(),
                store.enqueue(),
                crashable(store.claims(), inside, simulatedProcess),
                store.nodes(),
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                probedOnce(store.server()));
    }

    private ClaimStore crashable(ClaimStore claims, boolean inside, SimulatedProcess simulatedProcess) {
        return (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> {
                    if (inside && method.getName().equals("lanesWithWork")) {
                        return tables
                                .lanes(Objects.requireNonNull(
                                        joined.transactions().current()))
                                .stream()
                                .filter(lane -> ((Collection<?>) args[0]).contains(lane.queue()))
                                .toList();
                    }
                    simulatedProcess.requireAlive();
                    Object result;
                    try {
                        result = method.invoke(claims, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    if (result instanceof Claimed claimed && !claimed.messages().isEmpty()) {
                        simulatedProcess.reach(CrashPoint.AFTER_CLAIM);
                    }
                    return result;
                });
    }

    private ServerStore probedOnce(ServerStore server) {
        return (ServerStore) Proxy.newProxyInstance(
                ServerStore.class.getClassLoader(), new Class<?>[] {ServerStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("probeLocking")) {
                        return locking();
                    }
                    try {
                        return method.invoke(server, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
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
}
