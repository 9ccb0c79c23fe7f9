package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.engine.ManualEngine;
import io.acidq.resilience.GuardState;
import io.acidq.store.NodeStore;
import io.acidq.telemetry.QueueState;
import io.acidq.test.SimulatedProcess.SimulatedCrash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs messages until none is due. Each drain simulates another process. Only one thread drains at a time; it also runs the messages that other threads
 * commit and report meanwhile. Thread-safe.
 */
final class Drain {

    private static final int MAX_RUNS = 100_000;

    private final EngineView engineView;
    private final Predicate<String> paused;
    private @Nullable CrashPoint nextCrashPoint;
    private @Nullable Thread running;

    /** Whether messages were committed since the running drain last checked. */
    private boolean hasNewCommits;

    Drain(EngineView engineView, Predicate<String> paused) {
        this.engineView = engineView;
        this.paused = paused;
    }

    synchronized void crashAt(@Nullable CrashPoint crashPoint) {
        nextCrashPoint = crashPoint;
    }

    DrainResult run(Predicate<String> queues, boolean inside) {
        Thread other = begin(false);
        if (other != null) {
            throw new QueueMisuseException("a drain is already running on " + other
                    + ", and runs all due messages: do not drain in a handler, or on two threads at once");
        }
        return runToTheEnd(queues, inside);
    }

    /** Runs the committed messages of all listeners. Empty if a drain is running on any thread; that drain runs the messages, and the caller does not wait. */
    Optional<DrainResult> runCommitted() {
        return begin(true) == null ? Optional.of(runToTheEnd(queue -> true, false)) : Optional.empty();
    }

    /** Returns null if this thread may drain, otherwise the thread that is draining. */
    private synchronized @Nullable Thread begin(boolean committed) {
        Thread other = running;
        hasNewCommits = other != null && (hasNewCommits || committed);
        if (other == null) {
            running = Thread.currentThread();
        }
        return other;
    }

    private DrainResult runToTheEnd(Predicate<String> queues, boolean inside) {
        try {
            DrainResult result = once(queues, inside);
            while (!isOver(result)) {
                result = result.and(once(further(queues, inside), inside));
            }
            return result;
        } finally {
            end();
        }
    }

    /** Messages that were committed while the last process ended run in another process. After a crash the test decides when it starts. */
    private synchronized boolean isOver(DrainResult result) {
        if (result.crashedAt().isEmpty() && takeNewCommits()) {
            return false;
        }
        running = null;
        return true;
    }

    private synchronized void end() {
        if (Thread.currentThread().equals(running)) {
            running = null;
        }
    }

    private synchronized boolean takeNewCommits() {
        boolean taken = hasNewCommits;
        hasNewCommits = false;
        return taken;
    }

    private synchronized @Nullable CrashPoint takeCrashPoint() {
        CrashPoint taken = nextCrashPoint;
        nextCrashPoint = null;
        return taken;
    }

    /** Committed messages of all queues run, as without a drain. In the transaction of the test only the selected queues run. */
    private static Predicate<String> further(Predicate<String> queues, boolean inside) {
        return inside ? queues : queue -> true;
    }

    private DrainResult once(Predicate<String> queues, boolean inside) {
        SimulatedProcess process = new SimulatedProcess(takeCrashPoint());
        ManualEngine engine = new ManualEngine(engineView.of(inside, process), paused);
        List<String> held = step(engine, queues, inside, process);
        if (process.hasCrashed()) {
            declareDead(engineView.store(inside).nodes(), engine.node());
        }
        return process.result(held);
    }

    /** Gives an action an engine without messages to run, in the transaction on this thread or in its own ones. */
    <T> T withEngine(boolean inside, EngineAction<T> action) {
        ManualEngine engine = new ManualEngine(engineView.of(inside, new SimulatedProcess(null)), paused);
        try {
            T result = action.run(engine);
            engine.close();
            return result;
        } catch (RuntimeException | Error e) {
            suppressCloseFailure(engine, e);
            throw e;
        } catch (Exception e) {
            suppressCloseFailure(engine, e);
            throw new IllegalStateException(e);
        }
    }

    /** Something to do with an engine. */
    interface EngineAction<T> {

        T run(ManualEngine engine) throws Exception;
    }

    private List<String> step(ManualEngine engine, Predicate<String> queues, boolean inside, SimulatedProcess process) {
        try {
            runAll(engine, queues, inside, process);
            List<String> held = held(engine, queues);
            engine.close();
            return held;
        } catch (SimulatedCrash crash) {
            return List.of();
        } catch (RuntimeException | Error e) {
            suppressCloseFailure(engine, e);
            throw e;
        } catch (Exception e) {
            suppressCloseFailure(engine, e);
            throw new IllegalStateException("the drain itself failed, not a handler", e);
        }
    }

    private void runAll(ManualEngine engine, Predicate<String> queues, boolean inside, SimulatedProcess process)
            throws Exception {
        Predicate<String> which = queues;
        for (int runs = 0; !process.hasCrashed(); runs++) {
            if (runs == MAX_RUNS) {
                throw new AssertionError("after " + MAX_RUNS
                        + " runs messages are still due: does a handler enqueue its own message again?");
            }
            if (!engine.runOnce(which)) {
                if (!takeNewCommits()) {
                    return;
                }
                which = further(queues, inside);
            }
        }
    }

    private static void suppressCloseFailure(ManualEngine engine, Throwable failure) {
        try {
            engine.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void declareDead(NodeStore nodes, int dead) {
        nodes.livingNodes().stream().filter(b -> b.node() == dead).forEach(nodes::declareDeadIfSilent);
    }

    private List<String> held(ManualEngine engine, Predicate<String> queues) {
        List<String> held = new ArrayList<>();
        for (QueueState queue : engine.queues()) {
            if (queues.test(queue.queue()) && queue.paused()) {
                held.add(queue.queue() + (paused.test(queue.queue()) ? ": its listener is paused" : ": paused"));
            }
            queue.guards().stream()
                    .filter(g -> queues.test(queue.queue()) && g.status() == GuardState.Status.STOPS)
                    .forEach(g -> held.add(queue.queue() + ": " + g));
        }
        return held;
    }
}
