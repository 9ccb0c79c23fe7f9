package io.acidq.engine;

import io.acidq.admin.ListenerControl;
import io.acidq.engine.listener.ListenerState;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The control of some listeners of an engine. Never takes the engine's monitor while handlers run: {@link Engine#stop} may hold it while it waits for
 * the same handlers.
 *
 * @param listeners          the state of each listener, by the name of the queue
 * @param startNodeIfPending registers the node that a started engine without wanted listeners has not registered yet
 * @param runtime            the engine's runtime; null when it does not run
 * @param patience           how long {@link #stop()} waits for running handlers
 */
record ListenerControls(
        Map<String, ListenerState> listeners,
        Runnable startNodeIfPending,
        Supplier<@Nullable EngineRuntime> runtime,
        Duration patience)
        implements ListenerControl {

    @Override
    public boolean isRunning() {
        EngineRuntime current = runtime.get();
        return current != null && current.isRunning(listeners.keySet());
    }

    @Override
    public boolean isPaused() {
        return listeners.values().stream().allMatch(ListenerState::isPaused);
    }

    @Override
    public void pause() {
        change(state -> state.setPaused(true));
    }

    @Override
    public void resume() {
        change(state -> state.setPaused(false));
    }

    @Override
    public void start() {
        change(state -> state.setWanted(true));
    }

    @Override
    public boolean stop() {
        return stop(patience);
    }

    @Override
    public boolean stop(Duration time) {
        listeners.values().forEach(state -> state.setWanted(false));
        EngineRuntime current = runtime.get();
        return current == null || current.stop(listeners.keySet(), time);
    }

    private void change(Consumer<ListenerState> change) {
        listeners.values().forEach(change);
        startNodeIfPending.run();
        EngineRuntime current = runtime.get(); // after the change: a runtime that starts later sees the new states
        if (current != null) {
            current.listenersChanged(listeners.keySet());
        }
    }
}
