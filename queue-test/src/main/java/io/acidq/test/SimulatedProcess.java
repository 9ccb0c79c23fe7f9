package io.acidq.test;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import io.acidq.test.DrainResult.Ended;
import io.acidq.test.DrainResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The process that one drain simulates. It crashes when it reaches a given point; after that every call throws. Records the outcomes and failures of its
 * messages. Confined to the thread that drains.
 */
final class SimulatedProcess implements Telemetry {

    private final @Nullable CrashPoint crashAt;
    private final List<Ended> ended = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private boolean crashed;

    SimulatedProcess(@Nullable CrashPoint crashAt) {
        this.crashAt = crashAt;
    }

    void reach(CrashPoint crashPoint) {
        requireAlive();
        if (crashPoint == crashAt) {
            crashed = true;
            throw new SimulatedCrash(crashPoint);
        }
    }

    /** Throws after the crash, so that nothing reaches the database or a handler any more. */
    void requireAlive() {
        if (crashed && crashAt != null) {
            throw new SimulatedCrash(crashAt);
        }
    }

    boolean hasCrashed() {
        return crashed;
    }

    DrainResult result(List<String> heldBack) {
        return new DrainResult(ended, failures, heldBack, crashed ? Optional.ofNullable(crashAt) : Optional.empty());
    }

    /** Returns transactions with crash points. A crash rolls back the open transaction, as the server does when it loses the connection. */
    Transactions crashable(Transactions transactions) {
        return new DelegatingTransactions(transactions) {
            @Override
            public <T> T inNew(Callable<T> work) throws Exception {
                requireAlive();
                T result = transactions.inNew(() -> {
                    T worked = work.call();
                    reach(CrashPoint.BEFORE_COMMIT);
                    return worked;
                });
                reach(CrashPoint.AFTER_COMMIT);
                return result;
            }
        };
    }

    /** Returns a listener with crash points around its handler, whose exceptions are recorded. */
    <T> Listener<T> crashable(Listener<T> listener) {
        return listener.withHandler(crashable(listener.handler()));
    }

    private <T> Handler<T> crashable(Handler<T> handler) {
        if (handler instanceof BatchHandlerAdapter<T> batch) {
            return new BatchHandlerAdapter<>(
                    items -> call(items.get(0).delivery(), () -> batch.handler().handleAll(items)));
        }
        return (payload, delivery) -> this.<Outcome>call(delivery, () -> handler.handle(payload, delivery));
    }

    private <R> R call(Delivery delivery, Callable<R> handler) throws Exception {
        reach(CrashPoint.BEFORE_HANDLER);
        R result;
        try {
            result = handler.call();
        } catch (Throwable e) {
            failures.add(new Failure(delivery.id(), e));
            throw e;
        }
        reach(CrashPoint.AFTER_HANDLER);
        return result;
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        ended.add(new Ended(id, outcome));
    }

    /** Records the failure if no handler threw it, for example a deadlock. */
    @Override
    public void requeued(MessageId id, Throwable failure) {
        if (failures.stream().noneMatch(f -> f.thrown() == failure)) {
            failures.add(new Failure(id, failure));
        }
    }

    @Override
    public void quarantined(MessageId id, String error) {
        ended.add(new Ended(id, Outcome.dead(error)));
    }

    /** The crash of a simulated process. Code that catches it and continues gets it again at its next call. */
    static final class SimulatedCrash extends Error {

        SimulatedCrash(CrashPoint at) {
            super("the test let the process crash at " + at, null, false, false);
        }
    }
}
