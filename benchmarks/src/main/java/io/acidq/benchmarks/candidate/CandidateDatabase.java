package io.acidq.benchmarks.candidate;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** The database of one run, with the application's tables and none of the candidate's. Thread-safe. */
public final class CandidateDatabase implements AutoCloseable {

    /** For heartbeats, tasks and whatever else a candidate has besides workers and a poller for each queue: docs/en/configuration.md counts them. */
    private static final int SPARE = 12;

    /** Of what the server accepts: for the harness, handlers without a transaction, and others. */
    private static final int RESERVED = 40;

    private static final String LOCAL_STATE = "useLocalSessionState";
    private static final Pattern SETS_LOCAL_STATE =
            Pattern.compile("\\b" + LOCAL_STATE + "\\s*=", Pattern.CASE_INSENSITIVE);

    private final Login login;
    private final Vendor vendor;
    private final Parallelism parallelism;
    private final int poolSize;
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();

    /**
     * How much will go on at once.
     *
     * @param workers   of handlers, in all queues together
     * @param producers threads that call {@link CandidateAdapter#send} at once
     * @param queues    how many queues are used, 1 unless the candidate has {@link Capability#MANY_QUEUES}
     */
    public record Parallelism(int workers, int producers, int queues) {

        public Parallelism {
            if (workers < 1 || producers < 0 || queues < 1) {
                throw new IllegalArgumentException(
                        "workers " + workers + ", producers " + producers + ", queues " + queues);
            }
        }

        /** How many handlers there are in all: those of a queue are as many as those of another one, and at least one. */
        public int handlers() {
            return Math.max(1, workers / queues) * queues;
        }

        /**
         * How many connections a candidate has: with them nobody waits, unless the server accepts too few.
         *
         * @param most that the server accepts
         */
        public int poolSize(int most) {
            int wanted = handlers() + producers + queues + SPARE;
            return Math.min(wanted, Math.max(workers + producers + SPARE, most - RESERVED));
        }
    }

    /**
     * For one run.
     *
     * @param poolSize of {@link #pool(boolean)}
     */
    public CandidateDatabase(Login login, Vendor vendor, Parallelism parallelism, int poolSize) {
        this.login = login;
        this.vendor = vendor;
        this.parallelism = parallelism;
        this.poolSize = poolSize;
    }

    public Login login() {
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

    /** A pool of its own for the candidate, large enough for all workers and producers; it closes with the run. */
    public HikariDataSource pool(boolean autoCommit) {
        return pool(poolSize, autoCommit);
    }

    /** The same of another size. Until its first connection it may be configured further; the isolation level is the server's. */
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

    /** The pool of somebody who spares himself statements, with autocommit off. */
    public HikariDataSource tunedPool() {
        return tunedPool(false);
    }

    /**
     * The pool of somebody who spares himself statements, as docs/en/configuration.md advises: READ COMMITTED, and Connector/J does not ask for
     * what it has set; an option in the URL wins over that.
     *
     * @param autoCommit off is what the page advises; on is for whoever needs it, or is quicker so
     */
    public HikariDataSource tunedPool(boolean autoCommit) {
        HikariDataSource pool = pool(autoCommit);
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        String url = login.url();
        if (url.startsWith("jdbc:mysql:") && !SETS_LOCAL_STATE.matcher(url).find()) {
            pool.addDataSourceProperty(LOCAL_STATE, "true"); // which Connector/J would prefer to the URL's
        }
        return pool;
    }

    /**
     * Opens as many connections of each pool as it has, and gives them back: else the pools would open them while it is measured. Called when
     * none is in use.
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
                        "a pool of " + pool.getMaximumPoolSize() + " got " + connections.size()
                                + " connections: let the server accept more (max_connections), or ask for fewer --workers",
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
}
