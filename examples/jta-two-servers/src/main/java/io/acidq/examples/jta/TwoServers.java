package io.acidq.examples.jta;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageQueue;
import io.acidq.config.EngineConfig;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application: a queue on one server, and effects on it and on another. Thread-safe. */
public final class TwoServers implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final HikariDataSource own = new HikariDataSource();
    private final PlatformTransactionManager manager;

    /**
     * Starts the engine.
     *
     * @param manager begins the transactions of handlers and of callers
     * @param effects the queue's database, as those transactions see it
     * @param other   the other database, likewise
     */
    TwoServers(PlatformTransactionManager manager, Server queue, DataSource effects, DataSource other) {
        this.manager = manager;
        own.setJdbcUrl(queue.url());
        own.setUsername(queue.user());
        own.setPassword(queue.password());
        Schema.create(own);
        new JdbcTemplate(own).execute("CREATE TABLE IF NOT EXISTS shipment (order_id BIGINT NOT NULL)");
        new JdbcTemplate(other).execute("CREATE TABLE IF NOT EXISTS invoice (order_id BIGINT NOT NULL)");
        // snippet:store
        // Claims, heartbeats and ends of failed runs: short local transactions, on a pool that JTA knows nothing of.
        // Handlers and callers: transactions of the manager, on the DataSource that takes part in them.
        Store store = MyBatisStore.over(own, new SpringTransactions(manager, effects));
        // /snippet
        context.registerBean(Store.class, () -> store);
        // Six seconds after its death a process holds nothing any more but what it has left prepared.
        context.registerBean(EngineConfig.class, () -> EngineConfig.defaults().withHeartbeat(Duration.ofSeconds(1), 6));
        context.registerBean(
                "default", RetryPolicy.class, () -> RetryPolicy.defaults().withFixedBackoff(Duration.ofMillis(500)));
        context.registerBean(Booking.class, () -> new Booking(new JdbcTemplate(effects), new JdbcTemplate(other)));
        context.register(Queue.class);
        context.refresh();
    }

    /** Enqueues orders, and bills none of them: one transaction, in which the other server takes no part. */
    public void place(int orders) {
        MessageQueue queue = context.getBean(MessageQueue.class);
        List<Order> all = LongStream.rangeClosed(1, orders).mapToObj(Order::new).toList();
        new TransactionTemplate(manager)
                .executeWithoutResult(status -> all.forEach(order -> queue.enqueue("order.placed", order)));
    }

    /** How many orders are shipped, seen from outside. */
    public int shipped() {
        Integer count = new JdbcTemplate(own).queryForObject("SELECT COUNT(*) FROM shipment", Integer.class);
        return count == null ? 0 : count;
    }

    @Override
    public void close() {
        context.close();
        own.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAcidQ
    static class Queue {}
}
