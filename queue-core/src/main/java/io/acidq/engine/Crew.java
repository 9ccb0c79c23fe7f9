package io.acidq.engine;

import io.acidq.Outcome;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The workers of one queue: threads that take messages from its buffer and run them, one at a time each. */
final class Crew {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final QueueParts parts;
    private final Executor<?> executor;
    private final NodeParts node;
    private final Trouble trouble;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile boolean interrupting;

    Crew(QueueParts parts, Executor<?> executor, NodeParts node, int workers) {
        this.parts = parts;
        this.executor = executor;
        this.node = node;
        this.trouble = new Trouble("worker of queue " + parts.queue().name(), node.telemetry());
        for (int i = 1; i <= workers; i++) {
            Thread thread = new Thread(this::work, "acidq-" + parts.queue().name() + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void work() {
        while (!stopping) {
            try {
                ClaimedMessage message = parts.buffer().take(PATIENCE);
                if (message != null) {
                    runGuarded(message);
                }
            } catch (InterruptedException e) {
                // a handler left its thread interrupted, or the engine stops: the loop's condition tells
            }
        }
    }

    private void runGuarded(ClaimedMessage message) throws InterruptedException {
        try {
            runOne(message);
            trouble.worked();
        } catch (Throwable e) { // whatever it is, it must not take the worker away
            node.reconcile().run();
            Thread.sleep(trouble.failed(e).toMillis());
        }
    }

    private void runOne(ClaimedMessage message) {
        try {
            if (!node.heart().mayStart(message.claim().owner())) {
                node.reconcile().run();
                return;
            }
            long began = node.nanoTime().getAsLong();
            Outcome outcome = executor.run(message, () -> interrupting);
            Duration took = Duration.ofNanos(node.nanoTime().getAsLong() - began);
            parts.pace().ran(took);
            if (outcome != Outcome.done()) {
                parts.hints().lanes(Set.of(message.claim().lane())); // it may lie there again, due soon
            }
            tell(message, outcome, took);
        } finally {
            finished(message);
        }
    }

    private void tell(ClaimedMessage message, @Nullable Outcome outcome, Duration took) {
        if (outcome != null) {
            node.telemetry().finished(RunDelivery.idOf(parts.queue().name(), message), outcome, took);
        }
    }

    private void finished(ClaimedMessage message) {
        parts.buffer().finished(message);
        if (message.isSuspect()) {
            parts.hints().everyLane(); // the next suspect may be claimed
        }
        String key = message.orderKey();
        if (key != null && !parts.buffer().holdsKey(key)) {
            parts.hints().freed(message.claim().lane());
        } else if (parts.room() > 0) {
            parts.hints().look();
        }
    }

    /** Lets running handlers finish; interrupts those that have not by then, and says whether there were none. */
    boolean stop(Duration patience, Duration grace) throws InterruptedException {
        stopping = true;
        boolean idle = parts.buffer().awaitIdle(patience);
        if (!idle) {
            interrupting = true;
            threads.forEach(Thread::interrupt);
            parts.buffer().awaitIdle(grace);
        }
        return idle;
    }
}
