package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.doctor.PoolRequirements;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.engine.ManualEngine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * The connection pools of the engines, of the types that Boot supports. Compares each pool at startup with the needs of its engine. A pool that
 * is too small for an engine with one worker, or for all workers of one listener, fails the start; otherwise the first start of a listener would
 * end in the timeout of the pool. A pool that is too small for all workers of all listeners at once causes waits and is logged as a warning.
 * Listeners that do not start automatically, as in a process that only enqueues, are not counted.
 */
final class EnginePools implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(EnginePools.class);

    private final QueueEngines engines;
    private final ObjectProvider<DataSource> dataSource;
    private final ObjectProvider<DataSourcePoolMetadataProvider> pools;

    EnginePools(
            QueueEngines engines,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        this.engines = engines;
        this.dataSource = dataSource;
        this.pools = pools;
    }

    /** Returns the maximum size of a store's pool. */
    Optional<Integer> size(Store store) {
        return store.transactions() instanceof SpringTransactions transactions
                ? size(transactions.dataSource())
                : main();
    }

    /** Returns the maximum size of the pool of the application's single or primary {@code DataSource}. */
    Optional<Integer> main() {
        return size(dataSource.getIfUnique());
    }

    private Optional<Integer> size(@Nullable DataSource of) {
        if (of == null) {
            return Optional.empty();
        }
        DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
                        pools.orderedStream().toList())
                .getDataSourcePoolMetadata(of);
        return Optional.ofNullable(pool == null ? null : pool.getMax()).filter(limit -> limit > 0);
    }

    @Override
    public void afterSingletonsInstantiated() {
        engines.all().forEach((name, engine) -> {
            if (!ManualEngine.hasTakenOver(engine)) { // a manual engine runs one message at a time
                size(EngineDefinition.of(engine).store()).ifPresent(size -> compare(name, size, engine));
            }
        });
    }

    private static void compare(String name, int size, Engine engine) {
        EngineDefinition definition = EngineDefinition.of(engine);
        Set<String> later = definition.startedLater();
        List<Listener<?>> listeners = definition.listeners().stream()
                .filter(l -> !later.contains(l.queue()))
                .toList();
        PoolRequirements requirements = new PoolRequirements(
                listeners.stream().map(l -> l.concurrency().max()).toList());
        checkEngine(name, size, requirements);
        listeners.stream()
                .filter(l -> l.options().mode()
                        == HandlerMode.TRANSACTIONAL) // in external mode a handler holds no connection
                .forEach(l -> checkListener(name, size, l, requirements));
        warn(name, size, requirements);
    }

    private static void checkEngine(String engine, int size, PoolRequirements requirements) {
        if (size < requirements.minimum()) {
            throw QueueMisuseException.withAction(
                    "the connection pool of engine '" + engine + "' has " + connections(size) + ", and "
                            + (requirements.listeners() == 0
                                    ? "enqueueing needs " + requirements.minimum()
                                            + ": the caller's, and one beside it when a queue is new to the process"
                                    : "with a single worker AcidQ needs " + requirements.minimum()
                                            + " to start, run and stop: the heartbeat keeps one, and claims and tasks take others"),
                    enlarge(engine, requirements));
        }
    }

    private static void checkListener(String engine, int size, Listener<?> listener, PoolRequirements requirements) {
        int workers = listener.concurrency().max();
        if (size < PoolRequirements.minimumFor(workers)) {
            throw QueueMisuseException.withAction(
                    "the connection pool of engine '" + engine + "' has " + connections(size)
                            + ", and the listener of queue '" + listener.queue() + "' has up to " + workers
                            + " workers, which need one each in addition to the heartbeat's, so they could never all work",
                    enlarge(engine, requirements) + "; or lower acidq.queues[" + listener.queue()
                            + "].concurrency (or the listener's concurrency)");
        }
    }

    private static String connections(int size) {
        return size == 1 ? "one connection" : size + " connections";
    }

    private static String enlarge(String engine, PoolRequirements requirements) {
        return "set " + setting(engine) + " to at least " + requirements.withoutWaits()
                + " + what the application itself needs; AcidQ's are " + requirements.parts();
    }

    private static void warn(String engine, int size, PoolRequirements requirements) {
        if (requirements.listeners() > 0 && size <= requirements.atOnce()) { // one more for the application itself
            log.warn(
                    "the connection pool of engine '{}' has {} connections, and {} workers, {} pollers and the heartbeat of AcidQ need {} of them at"
                            + " once: workers will wait for connections. To avoid that, {}",
                    engine,
                    size,
                    requirements.workers(),
                    requirements.listeners(),
                    requirements.atOnce(),
                    enlarge(engine, requirements));
        }
    }

    private static String setting(String engine) {
        return engine.equals(QueueEngines.MAIN)
                ? "spring.datasource.hikari.maximum-pool-size"
                : "the maximum size of its pool";
    }
}
