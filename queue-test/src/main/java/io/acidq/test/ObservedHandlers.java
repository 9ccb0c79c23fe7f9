package io.acidq.test;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.config.BatchHandlerAdapter;
import io.acidq.config.Listener;
import java.util.concurrent.Callable;

/** Wraps handlers with the crash points of a simulated process, and records their exceptions. */
final class ObservedHandlers {

    private final SimulatedProcess simulatedProcess;

    ObservedHandlers(SimulatedProcess simulatedProcess) {
        this.simulatedProcess = simulatedProcess;
    }

    <T> Listener<T> listener(Listener<T> listener) {
        return new Listener<>(
                listener.queue(),
                listener.payloadType(),
                handler(listener.handler()),
                listener.concurrency(),
                listener.retry(),
                listener.guards(),
                listener.options());
    }

    private <T> Handler<T> handler(Handler<T> handler) {
        if (handler instanceof BatchHandlerAdapter<T> batchHandlerAdapter) {
            return new BatchHandlerAdapter<>(items -> call(
                    items.get(0).delivery(), () -> batchHandlerAdapter.handler().handleAll(items)));
        }
        return (payload, delivery) -> this.<Outcome>call(delivery, () -> handler.handle(payload, delivery));
    }

    private <R> R call(Delivery delivery, Callable<R> handler) throws Exception {
        simulatedProcess.reach(CrashPoint.BEFORE_HANDLER);
        R result;
        try {
            result = handler.call();
        } catch (Throwable e) {
            simulatedProcess.threw(delivery.id(), e);
            throw e;
        }
        simulatedProcess.reach(CrashPoint.AFTER_HANDLER);
        return result;
    }
}
