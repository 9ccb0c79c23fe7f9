package io.acidq.engine.work;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.RunOptions;
import io.acidq.engine.duty.Trouble;
import io.acidq.engine.node.NodeParts;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The workers of one queue: threads that take messages from its buffer and run them. */
final class Crew {

    /** For so long a worker without work keeps its connection: what it gives back and borrows anew costs statements. */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** A stop waits so long for workers that give back the connection that they kept: the application may close its pool next. */
    private static final Duration GIVING_BACK = Duration.ofSeconds(2);

    private final QueueParts parts;
    private final BatchExecutor<?> executor;
    private final NodeParts node;
    private final RunOptions options;
    private final Trouble trouble;
    private final Staff staff;
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private volatile boolean interrupting;

    /** With plain threads. */
    Crew(QueueParts parts, BatchExecutor<?> executor, NodeParts node, Listener<?> listener) {
        this(parts, executor, node, listener, Thread::new);
    }

    Crew(QueueParts parts, BatchExecutor<?> executor, NodeParts node, Listener<?> listener, ThreadFactory threads) {
        this.parts = parts;
        this.executor = executor;
        this.node = node;
        this.options = listener.options();
        this.staff = new Staff(parts.queue().name(), listener.workers().life(), node.nanoTime(), this::work, threads);
        this.trouble = node.watch().trouble("worker of queue " + parts.queue().name());
    }

    Staff staff() {
        return staff;
    }

    /** What is running at this moment. */
    Collection<Run> runs() {
        return runs;
    }

    /** For how long the message of this claim has been running; null when it does not. */
    @Nullable
    Duration runningFor(Claim claim) {
        return runs.stream()
                .filter(run -> run.messages().stream().anyMatch(m -> m.claim().equals(claim)))
                .findFirst()
                .map(run -> Duration.ofNanos(node.nanoTime().getAsLong() - run.began()))
                .orElse(null);
    }

    /** A run that was given up: another thread takes its worker's place. */
    void replace(Run run) {
        runs.remove(run);
        finished(run, false);
        staff.replace(run.thread());
    }

    private void work() {
        try (Transactions.Stay stay = executor.stay()) {
            work(stay);
        }
    }

    private void work(Transactions.Stay stay) {
        long retires = staff.retires();
        boolean employed = true;
        while (employed && staff.keeps(retires)) {
            try {
                int outages = node.watch()
                        .outages(); // first: what was claimed before one must not be taken for what came after it
                List<ClaimedMessage> messages = next(stay);
                if (!messages.isEmpty()) {
                    employed = run(runOf(messages, outages));
                }
            } catch (InterruptedException e) {
                // a handler left its thread interrupted, or the engine stops: the loop's condition tells
            } catch (Throwable e) { // between two runs: the worker stays all the same
                parts.buffer().wake();
                LockSupport.parkNanos(trouble.failed(e).toNanos());
            }
        }
        parts.buffer().wake(); // another one may have counted on this one
    }

    private List<ClaimedMessage> next(Transactions.Stay stay) throws InterruptedException {
        List<ClaimedMessage> next = parts.buffer().take(MOMENT, options.transactionSize());
        if (next.isEmpty()) {
            stay.rest();
            next = parts.buffer().take(PATIENCE, options.transactionSize());
        }
        return next;
    }

    /** Whether this thread is still wanted afterwards: not when the run was given up meanwhile. */
    private boolean run(Run run) throws InterruptedException {
        Duration rest = step(run);
        if (rest != null && !rest.isZero()) {
            Thread.sleep(rest.toMillis());
        }
        return rest != null;
    }

    /** Runs it to its end: how long the worker is to rest then, or null when the run was given up meanwhile. */
    @Nullable
    Duration step(Run run) {
        Throwable failure = attempt(run);
        if (!run.settle()) {
            return null;
        }
        finished(run, failure == null);
        return failure == null ? Duration.ZERO : trouble.failed(failure);
    }

    private @Nullable Throwable attempt(Run run) {
        runs.add(run);
        try {
            runOnce(run);
            trouble.worked();
            return null;
        } catch (Throwable e) { // whatever it is, it must not take the worker away
            keepFollowersBack(run);
            return e;
        } finally {
            runs.remove(run);
        }
    }

    /** Without a worker, on the calling thread: takes up what may start now and runs it; false when that is nothing. Throws what a worker would tell. */
    boolean stepByHand() throws Exception {
        int outages = node.watch().outages();
        List<ClaimedMessage> messages = parts.buffer().take(Duration.ZERO, options.transactionSize());
        if (messages.isEmpty()) {
            return false;
        }
        Run run = runOf(messages, outages);
        Throwable failure = attempt(run);
        if (run.settle()) {
            finished(run, false);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (Exception) failure;
        }
        return true;
    }

    private Run runOf(List<ClaimedMessage> messages, int outages) {
        return new Run(
                messages,
                parts.guards().passages(messages),
                node.nanoTime().getAsLong(),
                () -> node.watch().outages() == outages,
                () -> interrupting);
    }

    private void runOnce(Run run) {
        List<ClaimedMessage> messages = run.messages();
        if (!node.heart().mayStart(messages.get(0).claim().owner())) {
            keepFollowersBack(run);
            return;
        }
        long began = node.nanoTime().getAsLong();
        List<@Nullable Outcome> outcomes = executor.run(run, () -> interrupting);
        Duration took = Duration.ofNanos((node.nanoTime().getAsLong() - began) / messages.size());
        for (int i = 0; i < messages.size(); i++) {
            ended(messages.get(i), outcomes.get(i), took);
        }
    }

    /** The end of one of its messages is not written: what comes after it must not start here before the reconciler has written one. */
    void keepFollowersBack(Run run) {
        run.messages().forEach(m -> parts.buffer().removeFollowers(m.orderKey()));
        node.reconcile().run();
    }

    /** One of its calls handled several messages and did not come back: they are not called together again. */
    void separate(Run run) {
        executor.separate(run.messages());
    }

    /** The end of a message is written. */
    void ended(ClaimedMessage message, @Nullable Outcome outcome, Duration took) {
        parts.pace().ran(took);
        if (outcome != Outcome.done()) {
            parts.hints().lanes(Set.of(message.claim().lane())); // it may lie there again, due soon
        }
        if (outcome != null) {
            node.telemetry().finished(RunDelivery.idOf(parts.queue().name(), message), outcome, took);
        }
    }

    /** Called once for each run, by whoever settles it. */
    private void finished(Run run, boolean comesBack) {
        try {
            run.close(); // before the messages leave the buffer: what it gives back is there for the next one
            tellOfGuards();
        } finally {
            leave(run, comesBack);
        }
    }

    private void tellOfGuards() {
        if (parts.guards().tellChanges()) {
            parts.buffer().wake();
            parts.hints().look();
        }
    }

    private void leave(Run run, boolean comesBack) {
        boolean freed = false;
        for (ClaimedMessage message : run.messages()) {
            parts.buffer().finished(message, comesBack);
            if (message.isSuspect()) {
                parts.hints().everyLane(); // the next suspect may be claimed
            }
            String key = message.orderKey();
            if (key != null && !parts.buffer().holdsKey(key)) {
                parts.hints().freed(message.claim().lane());
                freed = true;
            }
        }
        if (!freed && parts.room() > 0) {
            parts.hints().room();
        }
    }

    /** Lets running handlers finish; interrupts those that have not by then, and says whether there were none. */
    boolean stop(Duration patience, Duration grace) throws InterruptedException {
        staff.close();
        boolean idle = parts.buffer().awaitIdle(patience);
        boolean ended = idle;
        if (!idle) {
            interrupting = true;
            runs.forEach(Run::interrupt);
            ended = parts.buffer().awaitIdle(grace);
        }
        if (ended) {
            staff.awaitGone(GIVING_BACK);
        }
        return idle;
    }
}
