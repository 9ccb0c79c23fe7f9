package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one more database, a bean of the application: it is built, started and stopped with the main one. Its store is made over a
 * {@link io.acidq.spring.transaction.SpringTransactions}; listeners with that transaction manager's name run in it. A {@link io.acidq.MessageQueue} is there under the
 * qualifier of this bean's name; for everything else ask {@link #engine}. Do not make the store a bean, unless the main one is primary.
 */
public final class QueueEngine {

    private final Store store;
    private final @Nullable EngineConfig config;
    private volatile @Nullable Supplier<Engine> maker;

    private QueueEngine(Store store, @Nullable EngineConfig config) {
        this.store = store;
        this.config = config;
    }

    /** An engine over another database, with the settings of the main one. */
    public static QueueEngine over(Store store) {
        return new QueueEngine(store, null);
    }

    /** The same with settings of its own. */
    public QueueEngine withConfig(EngineConfig value) {
        return new QueueEngine(store, value);
    }

    /**
     * The engine.
     *
     * @throws QueueMisuseException when it is asked for before the listeners are known
     */
    public Engine engine() {
        Supplier<Engine> made = maker;
        if (made == null) {
            throw new QueueMisuseException(
                    "the engine of this QueueEngine is not built yet: ask for it when all beans are there, or use its MessageQueue");
        }
        return made.get();
    }

    /** The store of its database. */
    public Store store() {
        return store;
    }

    /** Its settings; null for those of the main engine. */
    public @Nullable EngineConfig config() {
        return config;
    }

    /** Called by AcidQ's configuration, once: from now on the engine is built when it is first asked for. Not for applications. */
    public void madeBy(Supplier<Engine> value) {
        maker = value;
    }
}
