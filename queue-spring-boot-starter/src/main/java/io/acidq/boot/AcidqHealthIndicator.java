package io.acidq.boot;

import io.acidq.boot.SchemaProbe.Finding;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * DOWN when the engine finds its database away or read-only, or the tables are not what it needs; never because of backlog, dead letters or
 * pauses. Answers within about a second whatever the database does: an outage is known from the heartbeat, and the tables are checked apart. Where
 * a heartbeat says that all is well, a check that finds no connection is no reason to be DOWN: the pool is busy.
 */
final class AcidqHealthIndicator implements HealthIndicator {

    private final Supplier<Engine> engine;
    private final SchemaProbe tables;

    AcidqHealthIndicator(Supplier<Engine> engine) {
        this.engine = engine;
        this.tables =
                new SchemaProbe(() -> EngineDefinition.of(engine.get()).store().server());
    }

    @Override
    public Health health() {
        Engine asked = engine.get();
        EngineHealth now = asked.health();
        Health.Builder health = new Health.Builder()
                .withDetail("database", now.database())
                .withDetail("for", now.inStateFor().toString())
                .withDetail("node", now.node());
        now.lastError().ifPresent(error -> health.withDetail("lastError", error));
        Map<String, Object> queues = new LinkedHashMap<>();
        for (QueueState state : asked.queues()) {
            queues.put(state.queue(), Map.of("running", state.running(), "claimed", state.waiting()));
        }
        return health.withDetail("queues", queues).status(status(now, health)).build();
    }

    private Status status(EngineHealth now, Health.Builder health) {
        if (now.database().isOutage()) {
            return Status.DOWN;
        }
        if (!now.database().letsWork()) {
            return Status.UNKNOWN; // not started yet, or stopped
        }
        Finding finding = tables.finding();
        health.withDetail("tables", finding.text());
        boolean heartbeats = now.lastHeartbeat().isPresent();
        return switch (finding.kind()) {
            case SOUND -> Status.UP;
            case WRONG -> Status.DOWN;
            case FAILED, HANGS, UNCHECKED -> heartbeats ? Status.UP : Status.DOWN;
        };
    }
}
