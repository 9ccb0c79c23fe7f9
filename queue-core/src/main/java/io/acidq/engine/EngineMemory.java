package io.acidq.engine;

import io.acidq.config.EngineConfig;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.listener.EngineParts;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.WakeUps;
import java.util.HashMap;
import java.util.Map;

/**
 * What an engine knows from its making on, whether it runs or not.
 *
 * @param queues     the queues that it has used, and how it claims from each
 * @param signals    what wakes its tasks
 * @param pauses     the queues that are paused
 * @param watch      the state of its database
 * @param standings  what was asked for of its listeners, by the name of the queue
 * @param free       its free workers
 */
public record EngineMemory(
        QueueRegistry queues,
        WakeUps signals,
        PauseTracker pauses,
        DatabaseMonitor watch,
        Map<String, ListenerState> standings,
        LocalWorkers free) {

    public static EngineMemory of(EngineParts parts) {
        WakeUps signals = new WakeUps();
        EngineConfig config = parts.config();
        Map<String, ListenerState> listenerStates = new HashMap<>();
        parts.listeners()
                .forEach(l -> listenerStates.put(
                        l.queue(), new ListenerState(!parts.later().contains(l.queue()))));
        return new EngineMemory(
                new QueueRegistry(parts.store().queues(), config),
                signals,
                new PauseTracker(signals, parts.telemetry()),
                new DatabaseMonitor(config.heartbeatInterval(), System::nanoTime, parts.telemetry()),
                Map.copyOf(listenerStates),
                new LocalWorkers());
    }
}
