package io.acidq.engine.listener;

import io.acidq.Outcome;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a worker: takes messages from the buffer of its queue, executes them, tells how they ended, and goes on. All worker threads
 * of a queue run the same one. Thread-safe.
 */
final class Worker {

    /** How long a worker without work keeps its connection: to give it back and to borrow it anew costs statements. */
    private static final Duration CONNECTION_KEEP_TIME = Duration.ofMillis(1);

    private static final Duration MAX_WAIT = Duration.ofMillis(500);

    private final String queue;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal pollerSignal;
    private final StartGuards guards;
    private final BatchExecutor<?> executor;
    private final OutcomeRecorder recorder;
    private final NodeContext node;
    private final int transactionSize;
    private final FailureTracker failures;
    private final Set<Execution> executions = ConcurrentHashMap.newKeySet();
    private volatile boolean interrupting;

    /**
     * The worker of one queue.
     *
     * @param transactionSize how many messages it takes at most at once
     */
    Worker(
            String queue,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            WakeUps.PollerSignal pollerSignal,
            StartGuards guards,
            BatchExecutor<?> executor,
            OutcomeRecorder recorder,
            NodeContext node,
            int transactionSize) {
        this.queue = queue;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.pollerSignal = pollerSignal;
        this.guards = guards;
        this.executor = executor;
        this.recorder = recorder;
        this.node = node;
        this.transactionSize = transactionSize;
        this.failures = node.database().trackFailures("worker of queue " + queue);
    }

    /**
     * Works on the calling thread until that is not wanted any more, or was given up in the middle of a call.
     *
     * @param stays whether the calling thread is still wanted, asked before each turn
     */
    void run(BooleanSupplier stays) {
        try (Transactions.WorkerSession connection = executor.workerSession()) {
            boolean employed = true;
            while (employed && stays.getAsBoolean()) {
                try {
                    // first: what was claimed before an outage must not be taken for what came after it
                    int outages = node.database().outages();
                    List<ClaimedMessage> messages = take(connection);
                    if (!messages.isEmpty()) {
                        Execution execution = executionOf(messages, outages);
                        Throwable failure = execute(execution, true);
                        employed = !execution.isGivenUp();
                        if (employed && failure != null) {
                            Thread.sleep(failed(failure).toMillis());
                        }
                    }
                } catch (InterruptedException e) {
                    // a handler left its thread interrupted, or the engine stops: the loop's condition tells
                } catch (Throwable e) { // between two executions: the worker stays all the same
                    buffer.wake();
                    LockSupport.parkNanos(failed(e).toNanos());
                }
            }
            buffer.wake(); // another worker may have counted on this one
        }
    }

    private List<ClaimedMessage> take(Transactions.WorkerSession connection) throws InterruptedException {
        List<ClaimedMessage> messages = buffer.take(CONNECTION_KEEP_TIME, transactionSize);
        if (messages.isEmpty()) {
            connection.release();
            messages = buffer.take(MAX_WAIT, transactionSize);
        }
        return messages;
    }

    /**
     * One turn on the calling thread, without a worker: executes what may start now; false when that is nothing. Throws what a worker would
     * report.
     */
    boolean runOnceManually() throws Exception {
        int outages = node.database().outages();
        List<ClaimedMessage> messages = buffer.take(Duration.ZERO, transactionSize);
        if (messages.isEmpty()) {
            return false;
        }
        Throwable failure = execute(executionOf(messages, outages), false);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (Exception) failure;
        }
        return true;
    }

    private Execution executionOf(List<ClaimedMessage> messages, int outages) {
        return new Execution(
                messages,
                guards.takePermits(messages),
                node.nanoTime().getAsLong(),
                () -> node.database().outages() == outages,
                () -> interrupting);
    }

    /**
     * Executes it to its end. Its messages leave the buffer then, unless it was given up meanwhile, which has seen to that.
     *
     * @param comesBack whether the calling thread takes the next messages itself if this goes well
     * @return the failure to report and to wait after; null when there was none
     */
    @Nullable
    Throwable execute(Execution execution, boolean comesBack) {
        List<ClaimedMessage> messages = execution.messages();
        Throwable failure = null;
        executions.add(execution);
        try {
            if (node.heartbeat().mayStart(messages.get(0).claim().owner())) {
                long began = node.nanoTime().getAsLong();
                List<@Nullable Outcome> outcomes = executor.execute(execution);
                Duration took = Duration.ofNanos((node.nanoTime().getAsLong() - began) / messages.size());
                for (int i = 0; i < messages.size(); i++) {
                    messageEnded(messages.get(i), outcomes.get(i), took);
                }
            } else {
                recorder.leaveToReconciler(messages);
            }
            failures.succeeded();
        } catch (Throwable e) { // whatever it is, it must not end the worker
            recorder.leaveToReconciler(messages);
            failure = e;
        } finally {
            executions.remove(execution);
        }
        if (execution.finish()) {
            finishExecution(execution, comesBack && failure == null);
        }
        return failure;
    }

    /** Reports a failure: how long to wait after it. */
    Duration failed(Throwable failure) {
        return failures.failed(failure);
    }

    /** The end of a message is written; without an outcome it was given back, or was not this node's any more. */
    void messageEnded(ClaimedMessage message, @Nullable Outcome outcome, Duration took) {
        prefetch.recordRun(took);
        if (outcome != Outcome.done()) {
            pollerSignal.wake(Set.of(message.claim().lane())); // it may lie there again, due soon
        }
        if (outcome != null) {
            node.telemetry().finished(message.id(queue), outcome, took);
        }
    }

    /** Called once for each execution, by the thread that has ended it. */
    private void finishExecution(Execution execution, boolean comesBack) {
        try {
            execution.releasePermits(); // before the messages leave the buffer: the next one may need them
            if (guards.reportChanges()) {
                buffer.wake();
                pollerSignal.wake();
            }
        } finally {
            removeFromBuffer(execution, comesBack);
        }
    }

    private void removeFromBuffer(Execution execution, boolean comesBack) {
        boolean freed = false;
        for (ClaimedMessage message : execution.messages()) {
            buffer.finished(message, comesBack);
            if (message.isSuspect()) {
                pollerSignal.wakeAllLanes(); // the next suspect may be claimed
            }
            String key = message.orderingKey();
            if (key != null && !buffer.holdsKey(key)) {
                pollerSignal.keyFreed(message.claim().lane());
                freed = true;
            }
        }
        if (!freed && prefetch.freeCapacity(buffer, guards) > 0) {
            pollerSignal.capacityFreed();
        }
    }

    /** What is running at this moment. */
    Collection<Execution> executions() {
        return executions;
    }

    /** For how long the message of this claim has been running; null when it does not. */
    @Nullable
    Duration runningFor(Claim claim) {
        return executions.stream()
                .filter(execution ->
                        execution.messages().stream().anyMatch(m -> m.claim().equals(claim)))
                .findFirst()
                .map(execution -> Duration.ofNanos(node.nanoTime().getAsLong() - execution.startNanos()))
                .orElse(null);
    }

    /** An execution was given up: its messages leave the buffer. */
    void abandon(Execution givenUp) {
        executions.remove(givenUp);
        finishExecution(givenUp, false);
    }

    /** The engine stops: interrupts the handlers that run, and those that are called from now on. */
    void interruptHandlers() {
        interrupting = true;
        executions.forEach(Execution::interrupt);
    }
}
