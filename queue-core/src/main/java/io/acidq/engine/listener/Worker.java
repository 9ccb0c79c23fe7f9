package io.acidq.engine.listener;

import io.acidq.Outcome;
import io.acidq.Priority;
import io.acidq.config.Listener;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeReport;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the worker threads of one queue: takes messages from the buffer, executes them, reports their outcomes,
 * and repeats. All worker threads of the queue share one instance. Thread-safe.
 */
final class Worker {

    /**
     * How long a worker without a message keeps its connection, since to return it and to borrow another one costs
     * statements.
     */
    private static final Duration CONNECTION_KEEP_TIME = Duration.ofMillis(1);

    private static final Duration MAX_WAIT = Duration.ofMillis(500);

    private final String queue;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal pollerSignal;
    private final StartGuards guards;
    private final StartRules startRules;
    private final BatchExecutor<?> executor;
    private final OutcomeRecorder recorder;
    private final NodeContext node;
    private final int transactionSize;
    private final FailureTracker failures;
    private final Set<Execution> executions = ConcurrentHashMap.newKeySet();
    private volatile boolean interrupting;

    Worker(
            Listener<?> listener,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            WakeUps.PollerSignal pollerSignal,
            StartGuards guards,
            StartRules startRules,
            BatchExecutor<?> executor,
            OutcomeRecorder recorder,
            NodeContext node) {
        this.queue = listener.queue();
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.pollerSignal = pollerSignal;
        this.guards = guards;
        this.startRules = startRules;
        this.executor = executor;
        this.recorder = recorder;
        this.node = node;
        this.transactionSize = listener.options().transactionSize();
        this.failures = node.database().trackFailures("worker of queue " + queue);
    }

    /**
     * Runs the loop on the calling thread until the pool does not need the thread any more, or until an execution on it
     * was given up.
     *
     * @param isNeeded whether the pool still needs the calling thread, asked before each turn
     */
    void run(BooleanSupplier isNeeded) {
        try (Transactions.WorkerSession connection = executor.workerSession()) {
            boolean givenUp = false;
            while (!givenUp && isNeeded.getAsBoolean()) {
                try {
                    // counted before the take: a claim from before an outage must not run after it
                    int outages = node.database().outages();
                    List<ClaimedMessage> messages = take(connection);
                    if (!messages.isEmpty()) {
                        Execution execution = executionOf(messages, outages);
                        Throwable failure = execute(execution, AfterExecution.TAKE_NEXT);
                        givenUp = execution.isGivenUp();
                        if (!givenUp && failure != null) {
                            Thread.sleep(reportFailure(failure).toMillis());
                        }
                    }
                } catch (InterruptedException e) {
                    // a handler left the thread interrupted, or the engine stops: the loop's condition decides
                } catch (Throwable e) { // between two executions: the worker continues
                    buffer.wake();
                    LockSupport.parkNanos(reportFailure(e).toNanos());
                }
            }
            buffer.wake(); // other workers were not woken because this one was to take the next message
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
     * Takes and executes one turn's messages on the calling thread. Returns false when none may start now. Throws a
     * failure that a worker would report.
     */
    boolean runOnceManually() throws Exception {
        int outages = node.database().outages();
        List<ClaimedMessage> messages = buffer.take(Duration.ZERO, transactionSize);
        if (messages.isEmpty()) {
            return false;
        }
        Throwable failure = execute(executionOf(messages, outages), AfterExecution.WAKE_OTHERS);
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
                () -> interrupting,
                startRules::check);
    }

    /** The next step of the calling thread after an execution. */
    enum AfterExecution {

        /** It takes the next messages itself, if the execution succeeds. No other worker is woken for them. */
        TAKE_NEXT,

        /** It wakes other workers for the next messages. */
        WAKE_OTHERS
    }

    /**
     * Runs the messages of an execution, then removes them from the buffer. If the execution was given up meanwhile,
     * {@link #abandon} has removed them.
     *
     * @return the failure of the engine to report and to wait after; null when there was none
     */
    @Nullable
    Throwable execute(Execution execution, AfterExecution after) {
        List<ClaimedMessage> messages = execution.messages();
        Throwable failure = null;
        ThreadSnapshot thread = ThreadSnapshot.ofCurrentThread();
        executions.add(execution);
        try {
            if (node.heartbeat().mayStart(messages.get(0).claim().owner())) {
                long start = node.nanoTime().getAsLong();
                for (ClaimedMessage message : messages) {
                    node.history().started(queue, start - message.dueNanos());
                }
                List<@Nullable Outcome> outcomes = executor.execute(execution);
                Duration took = Duration.ofNanos((node.nanoTime().getAsLong() - start) / messages.size());
                for (int i = 0; i < messages.size(); i++) {
                    messageEnded(messages.get(i), outcomes.get(i), took);
                }
            } else {
                recorder.leaveToReconciler(messages);
            }
            failures.recordSuccess();
        } catch (Throwable e) { // also an Error: it must not end the worker
            recorder.leaveToReconciler(messages);
            failure = e;
        } finally {
            executions.remove(execution);
            thread.restoreAttributes(); // callbacks of the transaction run after the handler, and change the thread too
        }
        if (execution.finish()) {
            finishExecution(execution, failure == null ? after : AfterExecution.WAKE_OTHERS);
        }
        return failure;
    }

    /** Reports a failure of the engine. Returns how long to wait after it. */
    Duration reportFailure(Throwable failure) {
        return failures.recordFailure(failure);
    }

    /**
     * Reports the end of a message.
     *
     * @param outcome the outcome that was written; null when the message was requeued or its claim was lost
     */
    void messageEnded(ClaimedMessage message, @Nullable Outcome outcome, Duration took) {
        prefetch.recordRun(took);
        if (outcome == null || !outcome.isDone()) {
            pollerSignal.wake(Set.of(message.claim().lane())); // the message may be in its lane again, due soon
        }
        if (outcome != null) {
            node.telemetry().finished(message.id(queue), outcome, took);
        }
    }

    /**
     * Releases the permits and the messages of an execution. The thread that has ended the execution calls this once.
     */
    private void finishExecution(Execution execution, AfterExecution after) {
        try {
            execution.releasePermits(); // before the messages leave the buffer: the next message may need a permit
            if (guards.reportChanges()) {
                buffer.wake();
                pollerSignal.wake();
            }
        } finally {
            removeFromBuffer(execution, after);
        }
    }

    private void removeFromBuffer(Execution execution, AfterExecution after) {
        boolean freed = false;
        for (ClaimedMessage message : execution.messages()) {
            buffer.finished(message, after == AfterExecution.TAKE_NEXT);
            if (message.isSuspect()) {
                pollerSignal.wakeAllLanes(); // another suspect may be claimed now
            }
            String key = message.orderingKey();
            if (key != null && !buffer.holdsKey(key)) {
                pollerSignal.keyFreed(message.claim().lane());
                freed = true;
            }
        }
        if (!freed && hasAwaitedCapacity()) {
            pollerSignal.wake();
        }
    }

    private boolean hasAwaitedCapacity() {
        for (Priority priority : pollerSignal.waitsForCapacity()) {
            if (prefetch.freeCapacity(buffer, guards, priority) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the executions that run at this moment. */
    Collection<Execution> executions() {
        return executions;
    }

    /** Returns how long the message of this claim has been running; null when it does not run. */
    @Nullable
    Duration runningFor(Claim claim) {
        return executions.stream()
                .filter(execution ->
                        execution.messages().stream().anyMatch(m -> m.claim().equals(claim)))
                .findFirst()
                .map(execution -> Duration.ofNanos(node.nanoTime().getAsLong() - execution.startNanos()))
                .orElse(null);
    }

    /** Returns the messages that have been running for the longest time, the longest first. */
    List<NodeReport.RunningMessage> longestRuns(int limit) {
        long now = node.nanoTime().getAsLong();
        return executions.stream()
                .sorted(Comparator.comparingLong(execution -> execution.startNanos() - now))
                .limit(limit)
                .flatMap(execution -> execution.messages().stream()
                        .map(message -> new NodeReport.RunningMessage(
                                message.id(queue), Duration.ofNanos(now - execution.startNanos()))))
                .limit(limit)
                .toList();
    }

    /** Removes the messages of an execution that was given up from the buffer. */
    void abandon(Execution givenUp) {
        executions.remove(givenUp);
        finishExecution(givenUp, AfterExecution.WAKE_OTHERS);
    }

    /** Interrupts the handlers of messages that operators have asked to cancel. */
    void interruptCancelled(NodeContext.CancelRequests requests) {
        executions.forEach(execution -> execution.interruptIfCancelled(requests));
    }

    /** Interrupts the handlers that run, and those that are called from now on, because the engine stops. */
    void interruptHandlers() {
        interrupting = true;
        executions.forEach(Execution::interrupt);
    }
}
