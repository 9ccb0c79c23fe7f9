package io.acidq.engine;

import io.acidq.admin.ListenerControl;
import io.acidq.engine.listener.ListenerState;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Some listeners of an engine. Never takes the engine's monitor while handlers run, for whose end its stop may wait with it.
 *
 * @param listeners what was asked for of each, by the name of the queue
 * @param waking    makes a node of an engine that is none for want of listeners
 * @param running   the engine's run; null when it does not run
 * @param patience  of a stop
 */
record ListenerControls(
        Map<String, ListenerState> listeners,
        Runnable waking,
        Supplier<@Nullable EngineRuntime> running,
        Duration patience)
        implements ListenerControl {

    @Override
    public boolean isRunning() {
        EngineRuntime run = running.get();
        return run != null && run.isRunning(listeners.keySet());
    }

    @Override
    public boolean isPaused() {
        return listeners.values().stream().allMatch(ListenerState::isPaused);
    }

    @Override
    public void pause() {
        change(listenerState -> listenerState.pause(true));
    }

    @Override
    public void resume() {
        change(listenerState -> listenerState.pause(false));
    }

    @Override
    public void start() {
        change(listenerState -> listenerState.want(true));
    }

    @Override
    public boolean stop() {
        return stop(patience);
    }

    @Override
    public boolean stop(Duration time) {
        listeners.values().forEach(listenerState -> listenerState.want(false));
        EngineRuntime run = running.get();
        return run == null || run.stop(listeners.keySet(), time);
    }

    private void change(Consumer<ListenerState> wish) {
        listeners.values().forEach(wish);
        waking.run();
        EngineRuntime run = running.get(); // asked last: a run that comes later sees the wish itself
        if (run != null) {
            Collection<String> queues = listeners.keySet();
            run.changed(queues);
        }
    }
}
