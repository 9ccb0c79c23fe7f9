package io.acidq.boot;

import com.zaxxer.hikari.HikariConfigMXBean;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.spring.ListenerCustomizer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;

/**
 * Compares the pool with what the engine takes from it. Without two connections, one of which the heartbeat keeps, nothing can run: that fails
 * the start. Fewer than all workers want at once works with waits: that is warned of.
 */
final class PoolSize implements ListenerCustomizer, ApplicationListener<ContextRefreshedEvent>, Ordered {

    private static final Logger log = LoggerFactory.getLogger(PoolSize.class);

    /** The heartbeat's, and one for the application itself. */
    private static final int BESIDE_LISTENERS = 2;

    /** The heartbeat's, seven duties, and four that are kept ready. */
    private static final int WITHOUT_WAITS = 12;

    private final @Nullable HikariConfigMXBean pool;
    private final AtomicInteger workers = new AtomicInteger();
    private final AtomicInteger listeners = new AtomicInteger();

    /**
     * Checks what can be checked without listeners.
     *
     * @param pool null where the {@code DataSource} is no HikariCP
     */
    PoolSize(@Nullable HikariConfigMXBean pool) {
        this.pool = pool;
        if (pool != null && pool.getMaximumPoolSize() == 1) {
            throw QueueMisuseException.withAction(
                    "the connection pool '" + pool.getPoolName()
                            + "' has one connection, which AcidQ's heartbeat keeps as long as it runs, so nobody else ever gets one",
                    "set spring.datasource.hikari.maximum-pool-size to at least the workers of all listeners + listeners + "
                            + WITHOUT_WAITS + " + what the application needs by itself");
        }
    }

    @Override
    public <T> Listener<T> customize(Listener<T> listener) {
        workers.addAndGet(listener.workers().max());
        listeners.incrementAndGet();
        return listener;
    }

    /** When all other customizers have had their say. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        int wanted = workers.get() + listeners.get();
        if (pool != null && listeners.get() > 0 && pool.getMaximumPoolSize() < wanted + BESIDE_LISTENERS) {
            log.warn(
                    "the connection pool '{}' has {} connections, and {} workers, {} pollers and the heartbeat of AcidQ want {} of them at"
                            + " once: workers will wait for connections. None waits with spring.datasource.hikari.maximum-pool-size={}"
                            + " + what the application needs by itself",
                    pool.getPoolName(),
                    pool.getMaximumPoolSize(),
                    workers,
                    listeners,
                    wanted + 1,
                    wanted + WITHOUT_WAITS);
        }
    }
}
