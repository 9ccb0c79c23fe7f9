package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Declares an engine for a further database. As a bean of the application it is built, started and stopped with the main engine.
 *
 * <pre>{@code
 * @Bean
 * QueueEngine billing(DataSource billingDataSource, PlatformTransactionManager billingManager) {
 *     return QueueEngine.over(
 *             MyBatisStore.over(billingDataSource, new SpringTransactions(billingManager, billingDataSource)));
 * }
 * }</pre>
 *
 * <p>The store must use a {@link io.acidq.spring.transaction.SpringTransactions}. Listeners and publishers that name its transaction manager in
 * {@code transactionManager} use this engine. A {@link io.acidq.MessageQueue} is registered with the name of this bean as its qualifier; for
 * everything else call {@link #engine}. Do not register the store as a bean, unless the store of the main engine is primary. Thread-safe.
 */
public final class QueueEngine {

    private final Store store;
    private final @Nullable EngineConfig config;
    private volatile @Nullable Supplier<Engine> engineSupplier;

    private QueueEngine(Store store, @Nullable EngineConfig config) {
        this.store = store;
        this.config = config;
    }

    /**
     * Declares an engine with the settings of the main engine.
     *
     * @param store the store of the further database
     */
    public static QueueEngine over(Store store) {
        return new QueueEngine(store, null);
    }

    /** Returns a copy with settings of its own. */
    public QueueEngine withConfig(EngineConfig value) {
        return new QueueEngine(store, value);
    }

    /**
     * Returns the engine, and builds it if it is not built yet.
     *
     * @throws QueueMisuseException if the application context has not yet found the listeners
     */
    public Engine engine() {
        Supplier<Engine> supplier = engineSupplier;
        if (supplier == null) {
            throw new QueueMisuseException(
                    "the engine of this QueueEngine is not built yet: call engine() when all beans exist, or inject its MessageQueue");
        }
        return supplier.get();
    }

    /** Returns the store of the database. */
    public Store store() {
        return store;
    }

    /** Returns the settings; null if it uses those of the main engine. */
    public @Nullable EngineConfig config() {
        return config;
    }

    /** Called once by AcidQ's configuration; not for applications. */
    public void setEngineSupplier(Supplier<Engine> value) {
        engineSupplier = value;
    }
}
