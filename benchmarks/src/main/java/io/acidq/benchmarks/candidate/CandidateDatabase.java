package io.acidq.benchmarks.candidate;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** The database of one run. It has the application's tables and no table of a candidate. Thread-safe. */
public final class CandidateDatabase implements AutoCloseable {

    /** Connections for heartbeats and other tasks besides workers and one poller for each queue: see docs/en/configuration.md. */
    private static final int SPARE = 12;

    /** Connections of the server for this program, handlers without a transaction, and other clients. */
    private static final int RESERVED = 40;

    private static final String LOCAL_STATE = "useLocalSessionState";
    private static final Pattern SETS_LOCAL_STATE =
            Pattern.compile("\\b" + LOCAL_STATE + "\\s*=", Pattern.CASE_INSENSITIVE);

    private final DatabaseLogin login;
    private final Vendor vendor;
    private final Parallelism parallelism;
    private final int poolSize;
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();

    /**
     * The parallelism of a run.
     *
     * @param workers   worker threads in all queues together
     * @param producers threads that call {@link CandidateAdapter#send} at once
     * @param queues    number of queues; 1 unless the candidate has {@link Capability#MANY_QUEUES}
     */
    public record Parallelism(int workers, int producers, int queues) {

        public Parallelism {
            if (workers < 1 || producers < 0 || queues < 1) {
                throw new IllegalArgumentException(
                        "workers " + workers + ", producers " + producers + ", queues " + queues);
            }
        }

        /** The number of handlers: each queue has the same number, at least one. */
        public int handlers() {
            return Math.max(1, workers / queues) * queues;
        }

        /**
         * The number of a candidate's connections. No thread waits for one unless the server accepts too few.
         *
         * @param maxConnections the server's limit
         */
        public int poolSize(int maxConnections) {
            int wanted = handlers() + producers + queues + SPARE;
            return Math.min(wanted, Math.max(workers + producers + SPARE, maxConnections - RESERVED));
        }
    }

    public CandidateDatabase(DatabaseLogin login, Vendor vendor, Parallelism parallelism, int poolSize) {
        this.login = login;
        this.vendor = vendor;
        this.parallelism = parallelism;
        this.poolSize = poolSize;
    }

    public DatabaseLogin login() {
        return login;
    }

    public Vendor vendor() {
        return vendor;
    }

    public int workers() {
        return parallelism.workers();
    }

    public int queues() {
        return parallelism.queues();
    }

    public int poolSize() {
        return poolSize;
    }

    /** A new pool that is large enough for all workers and producers. It closes with the run. */
    public HikariDataSource pool(boolean autoCommit) {
        return pool(poolSize, autoCommit);
    }

    /** Returns a pool of the given size. It can be configured further until its first connection. Its isolation level is the server's default. */
    public HikariDataSource pool(int size, boolean autoCommit) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(login.url());
        pool.setUsername(login.user());
        pool.setPassword(login.password());
        pool.setMaximumPoolSize(size);
        pool.setAutoCommit(autoCommit);
        pools.add(pool);
        return pool;
    }

    /** A pool that saves statements, with autocommit off. */
    public HikariDataSource tunedPool() {
        return tunedPool(false);
    }

    /**
     * A pool that saves statements, as docs/en/configuration.md recommends: READ COMMITTED, and Connector/J does not query its own session state,
     * unless the URL sets that option.
     *
     * @param autoCommit false as the page recommends; true for candidates that need it or are faster with it
     */
    public HikariDataSource tunedPool(boolean autoCommit) {
        HikariDataSource pool = pool(autoCommit);
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        String url = login.url();
        if (url.startsWith("jdbc:mysql:") && !SETS_LOCAL_STATE.matcher(url).find()) {
            pool.addDataSourceProperty(LOCAL_STATE, "true"); // would override the URL
        }
        return pool;
    }

    /**
     * Opens all connections of each pool, so that they are not opened during the measurement. Called while none is in use.
     */
    public void connect() throws SQLException {
        for (HikariDataSource pool : pools) {
            List<Connection> connections = new ArrayList<>();
            try {
                while (connections.size() < pool.getMaximumPoolSize()) {
                    connections.add(pool.getConnection());
                }
            } catch (SQLException e) {
                throw new SQLException(
                        "a pool of " + pool.getMaximumPoolSize() + " got only " + connections.size()
                                + " connections: increase max_connections of the server, or use fewer --workers",
                        e);
            } finally {
                for (Connection each : connections) {
                    each.close();
                }
            }
        }
    }

    @Override
    public void close() {
        for (HikariDataSource pool = pools.poll(); pool != null; pool = pools.poll()) {
            pool.close();
        }
    }

    /** The vendor of a server. */
    public enum Vendor {
        MYSQL,
        MARIADB
    }
}
