package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.spring.QueueListener;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** A bean with a listener, as an application has it. */
class BenchmarkListener {

    /** By which the listener is started and stopped. */
    static final String ID = "letters";

    /** How many handlers each queue has. */
    static final String WORKERS = "bench.workers";

    /** The names of the queues, with commas between them. */
    static final String QUEUES = "bench.queues";

    private final DataSource pool;
    private volatile @Nullable HandlerWork handlerWork;

    BenchmarkListener(DataSource pool) {
        this.pool = pool;
    }

    void use(HandlerWork value) {
        handlerWork = value;
    }

    @QueueListener(
            id = ID,
            queues = "#{'${" + QUEUES + "}'.split(',')}",
            concurrency = "${" + WORKERS + "}",
            autoStartup = "false")
    void on(String text) throws Exception {
        HandlerWork running = handlerWork;
        if (running == null) {
            throw new IllegalStateException("no workers have been started");
        }
        Connection connection = DataSourceUtils.getConnection(pool);
        DataSourceUtils.releaseConnection(connection, pool); // the transaction keeps it
        running.run(connection, text);
    }
}
