package io.acidq.engine.work;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.enqueue.ClaimStrategies;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.engine.guard.Pauses;

/**
 * What an engine knows from its making on, whether it runs or not.
 *
 * @param catalog    the queues that it has used
 * @param signals    what wakes its duties
 * @param pauses     the queues that are paused
 * @param watch      the state of its database
 * @param strategies how it claims
 */
public record EngineMemory(
        QueueCatalog catalog, Signals signals, Pauses pauses, DatabaseWatch watch, ClaimStrategies strategies) {

    public static EngineMemory of(EngineParts parts) {
        Signals signals = new Signals();
        EngineConfig config = parts.config();
        return new EngineMemory(
                new QueueCatalog(parts.store().queues()),
                signals,
                new Pauses(signals, parts.telemetry()),
                new DatabaseWatch(config.beat(), System::nanoTime, parts.telemetry()),
                new ClaimStrategies(config));
    }
}
