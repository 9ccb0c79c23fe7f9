package io.acidq.chaos.environment;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.admin.Subscriptions;
import io.acidq.chaos.proxy.ConnectionBreaks;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.ChaosTables;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A server, and producers and workers that reach it through one proxy for each role. */
public final class Environment implements AutoCloseable {

    private static final int READ_ONLY = 1290;

    private final Path folder;
    private final Set<PendingRepair> pendingRepairs = ConcurrentHashMap.newKeySet();
    private final ConnectionBreaks connectionBreaks = new ConnectionBreaks();
    private final PacketProxy producerProxy;
    private final PacketProxy workerProxy;
    private final ProcessGroup producers;
    private final ProcessGroup workers;
    private volatile TargetServer target;

    /** All processes have the clock of this machine. */
    public Environment(TargetServer target, Path folder, ProcessSettings processSettings) {
        this(target, folder, processSettings, false);
    }

    /**
     * @param ownClocks whether each worker has a wall clock of its own, see {@link io.acidq.testservers.FakeClock}
     */
    public Environment(TargetServer target, Path folder, ProcessSettings processSettings, boolean ownClocks) {
        this.target = target;
        this.folder = folder;
        this.producerProxy = PacketProxy.before(target.address(), connectionBreaks);
        this.workerProxy = PacketProxy.before(target.address(), connectionBreaks);
        this.producers = new ProcessGroup(
                "producer",
                folder,
                false,
                number -> processSettings.producer(
                        loginThrough(producerProxy), ProcessGroup.journal(folder, "producer", number), number));
        this.workers = new ProcessGroup(
                "worker",
                folder,
                ownClocks,
                number -> processSettings.worker(
                        loginThrough(workerProxy), ProcessGroup.journal(folder, "worker", number), number));
    }

    /** Moves the address of the processes to another server. */
    public void moveTo(TargetServer other) {
        target = other;
        proxies().forEach(proxy -> proxy.moveTo(other.address()));
    }

    private DatabaseLogin loginThrough(PacketProxy proxy) {
        return new DatabaseLogin(target.through(proxy.port()), target.user(), target.password());
    }

    /**
     * Creates the tables of the queue and of the application, and the subscriptions.
     *
     * @throws IllegalArgumentException if the database is not empty, because no journal describes its content
     */
    public void prepare() throws SQLException {
        try (HikariDataSource pool = new DatabaseLogin(target.url(), target.user(), target.password()).pool(2)) {
            long tables = count("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()");
            if (tables > 0) {
                throw new IllegalArgumentException("the database of " + target.url() + " has " + tables
                        + " tables already: use an empty one, which you drop and create again before each run");
            }
            Schema.create(pool);
            Subscriptions subscriptions = Engine.builder(MyBatisStore.over(pool, new JdbcTransactions(pool)))
                    .build()
                    .subscriptions();
            for (ChaosSubscription subscription : ChaosSubscription.values()) {
                subscriptions.subscribe(ChaosSubscription.TOPIC, subscription.subscription());
            }
            try (Connection connection = pool.getConnection()) {
                ChaosTables.create(connection);
                connection.commit();
            }
        }
    }

    public void start(int producing, int working) {
        workers.start(working);
        producers.start(producing);
    }

    public TargetServer target() {
        return target;
    }

    public Path folder() {
        return folder;
    }

    public ConnectionBreaks connectionBreaks() {
        return connectionBreaks;
    }

    public List<PacketProxy> proxies() {
        return List.of(producerProxy, workerProxy);
    }

    /**
     * How often the server has answered a process with this error.
     *
     * @param connection the connection's id on the server; 0 for refused connections
     */
    public int errors(long connection, int code) {
        return proxies().stream().mapToInt(p -> p.errors(connection, code)).sum();
    }

    public ProcessGroup producers() {
        return producers;
    }

    public ProcessGroup workers() {
        return workers;
    }

    /** Whether the server refuses a write of the processes' user. */
    public boolean isRefusedToWrite() {
        try (Connection connection = DriverManager.getConnection(target.url(), target.user(), target.password());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE chaos_trap SET n = n + 1 WHERE id = 1");
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == READ_ONLY;
        }
    }

    /** The number of messages that are neither done nor dead. */
    public long waiting() throws SQLException {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)");
    }

    /** Pauses the recurring messages, so that the queues can become empty. The faults have ended. */
    public void pauseRecurring() throws SQLException {
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE acidq_recurring SET paused = 1");
        }
    }

    /** The number that a query returns. */
    public long count(String sql) throws SQLException {
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Adds a repair that must run even if this process is interrupted before. Closing it runs the repair once. */
    public PendingRepair addPendingRepair(PendingRepair.Repair repair) {
        PendingRepair pendingRepair = new PendingRepair(repair, pendingRepairs::remove);
        pendingRepairs.add(pendingRepair);
        return pendingRepair;
    }

    /** Kills every process and runs all pending repairs, as far as the server allows. */
    public void killAll() {
        producers.kill();
        workers.kill();
        for (PendingRepair pendingRepair : pendingRepairs) {
            try {
                pendingRepair.close();
            } catch (IllegalStateException e) {
                System.err.println(e.getMessage() + ": " + e.getCause());
            }
        }
    }

    /** Stops every process cleanly. */
    public void stopProcesses() {
        producers.close();
        workers.close();
    }

    @Override
    public void close() {
        stopProcesses();
        proxies().forEach(PacketProxy::close);
    }

    /** The repair of a fault of a server. The first call of {@link #close} runs it. Thread-safe. */
    public static final class PendingRepair implements AutoCloseable {

        private final Repair repair;
        private final Consumer<PendingRepair> onDone;
        private final AtomicBoolean isDone = new AtomicBoolean();

        PendingRepair(Repair repair, Consumer<PendingRepair> onDone) {
            this.repair = repair;
            this.onDone = onDone;
        }

        @Override
        public void close() {
            if (isDone.compareAndSet(false, true)) {
                try {
                    repair.run();
                } catch (SQLException e) {
                    throw new IllegalStateException("a server may still have the settings of a fault", e);
                } finally {
                    onDone.accept(this);
                }
            }
        }

        /** Undoes a fault. */
        @FunctionalInterface
        public interface Repair {
            void run() throws SQLException;
        }
    }
}
