package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.doctor.PoolNeed;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Compares each engine's pool with what the engine takes from it. Without two connections, one of which the heartbeat keeps, nothing can run: that
 * fails the start. Fewer than all workers want at once works with waits: that is warned of.
 */
final class PoolSize implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(PoolSize.class);

    private final QueueEngines engines;
    private final EnginePools pools;

    PoolSize(QueueEngines engines, EnginePools pools) {
        this.engines = engines;
        this.pools = pools;
    }

    @Override
    public void afterSingletonsInstantiated() {
        engines.all()
                .forEach((name, engine) ->
                        pools.size(engine.parts().store()).ifPresent(size -> compare(name, size, need(engine))));
    }

    private static PoolNeed need(Engine engine) {
        List<Listener<?>> listeners = engine.parts().listeners();
        return new PoolNeed(listeners.stream().mapToInt(l -> l.workers().max()).sum(), listeners.size());
    }

    private static void compare(String engine, int size, PoolNeed need) {
        if (size == 1) {
            throw QueueMisuseException.withAction(
                    "the connection pool of engine '" + engine
                            + "' has one connection, which AcidQ's heartbeat keeps as long as it runs, so nobody else ever gets one",
                    "set " + setting(engine) + " to at least " + need.withoutWaits()
                            + " + what the application needs by itself");
        }
        if (need.listeners() > 0 && size <= need.atOnce()) { // one more for the application itself
            log.warn(
                    "the connection pool of engine '{}' has {} connections, and {} workers, {} pollers and the heartbeat of AcidQ want {} of them at"
                            + " once: workers will wait for connections. None waits with {}={} + what the application needs by itself",
                    engine,
                    size,
                    need.workers(),
                    need.listeners(),
                    need.atOnce(),
                    setting(engine),
                    need.withoutWaits());
        }
    }

    private static String setting(String engine) {
        return engine.equals(QueueEngines.MAIN)
                ? "spring.datasource.hikari.maximum-pool-size"
                : "the maximum size of its pool";
    }
}
