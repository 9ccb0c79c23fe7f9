package io.acidq.micrometer;

import io.acidq.admin.Backlog;
import io.acidq.engine.Engine;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.List;
import java.util.Set;

/** What gauges ask an engine. */
interface SampledEngine {

    /** As far as blocked keys are counted. */
    int MAX_COUNTED_BLOCKED_KEYS = 1_000;

    EngineHealth health();

    Set<String> knownQueues();

    List<QueueState> queues();

    Backlog backlog(String queue);

    boolean isPaused(String queue);

    int blockedKeys(String queue);

    static SampledEngine of(Engine engine) {
        return new OfEngine(engine);
    }

    /** A running engine, and its database. */
    record OfEngine(Engine engine) implements SampledEngine {

        @Override
        public EngineHealth health() {
            return engine.health();
        }

        @Override
        public Set<String> knownQueues() {
            return engine.knownQueues();
        }

        @Override
        public List<QueueState> queues() {
            return engine.queues();
        }

        @Override
        public Backlog backlog(String queue) {
            return engine.backlog(queue);
        }

        @Override
        public boolean isPaused(String queue) {
            return engine.control().isPaused(queue);
        }

        @Override
        public int blockedKeys(String queue) {
            return engine.blockedKeys().list(queue, MAX_COUNTED_BLOCKED_KEYS).size();
        }
    }
}
