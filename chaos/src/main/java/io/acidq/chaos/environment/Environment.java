package io.acidq.chaos.environment;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.proxy.ConnectionBreaks;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.role.ProcessProtocol;
import io.acidq.chaos.role.Tables;
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

/** A server with producers and workers around it, each role behind a proxy of its own. */
public final class Environment implements AutoCloseable {

    private static final int READ_ONLY = 1290;

    private final Path folder;
    private final Set<PendingRepair> pendingRepairs = ConcurrentHashMap.newKeySet();
    private final ConnectionBreaks connectionBreaks = new ConnectionBreaks();
    private final PacketProxy producerProxy;
    private final PacketProxy workerProxy;
    private final ProcessGroup producers;
    private final ProcessGroup workers;
    private volatile TargetServer targetServer;

    /** With the clock of this machine for everybody. */
    public Environment(TargetServer targetServer, Path folder, ProcessSettings processSettings) {
        this(targetServer, folder, processSettings, false);
    }

    /**
     * @param ownClocks whether each worker has a wall clock of its own, see {@link io.acidq.testservers.FakeClock}
     */
    public Environment(TargetServer targetServer, Path folder, ProcessSettings processSettings, boolean ownClocks) {
        this.targetServer = targetServer;
        this.folder = folder;
        this.producerProxy = PacketProxy.before(targetServer.address(), connectionBreaks);
        this.workerProxy = PacketProxy.before(targetServer.address(), connectionBreaks);
        this.producers = new ProcessGroup(
                "producer",
                folder,
                false,
                number -> processSettings.producer(
                        protocolThrough(producerProxy), ProcessGroup.journal(folder, "producer", number), number));
        this.workers = new ProcessGroup(
                "worker",
                folder,
                ownClocks,
                number -> processSettings.worker(
                        protocolThrough(workerProxy), ProcessGroup.journal(folder, "worker", number), number));
    }

    /** The processes see another server behind the same address. */
    public void moveTo(TargetServer other) {
        targetServer = other;
        proxies().forEach(proxy -> proxy.moveTo(other.address()));
    }

    private ProcessProtocol protocolThrough(PacketProxy proxy) {
        return new ProcessProtocol(targetServer.through(proxy.port()), targetServer.user(), targetServer.password());
    }

    /**
     * Creates the tables, of the queue and of the application.
     *
     * @throws IllegalArgumentException when there is something in the database already: of that nobody has written down what it should be
     */
    public void prepare() throws SQLException {
        try (HikariDataSource pool =
                new ProcessProtocol(targetServer.url(), targetServer.user(), targetServer.password()).pool(2)) {
            long tables = count("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()");
            if (tables > 0) {
                throw new IllegalArgumentException(
                        "the database of " + targetServer.url() + " has " + tables
                                + " tables already: give one that is empty, such as one that you drop and create again before each run");
            }
            Schema.create(pool);
            try (Connection connection = pool.getConnection()) {
                Tables.create(connection);
                connection.commit();
            }
        }
    }

    public void start(int producing, int working) {
        workers.start(working);
        producers.start(producing);
    }

    public TargetServer target() {
        return targetServer;
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
     * @param connection the server's number of the connection; 0 for those that it has refused
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

    /** Whether the server refuses a write of those who work here. */
    public boolean isRefusedToWrite() {
        try (Connection connection =
                        DriverManager.getConnection(targetServer.url(), targetServer.user(), targetServer.password());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE chaos_trap SET n = n + 1 WHERE id = 1");
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == READ_ONLY;
        }
    }

    /** How many messages are neither done nor dead. */
    public long waiting() throws SQLException {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)");
    }

    /** The one number that a query gives. */
    public long count(String sql) throws SQLException {
        try (Connection connection = targetServer.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Something that must be put right again, also when this process is told to end before that. Closing it does so, once. */
    public PendingRepair addPendingRepair(PendingRepair.Repair repair) {
        PendingRepair pendingRepair = new PendingRepair(repair, pendingRepairs::remove);
        pendingRepairs.add(pendingRepair);
        return pendingRepair;
    }

    /** Kills every process at once and puts right what is owed, as far as the server lets it. */
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

    /** Ends every process, each in good order. */
    public void stopProcesses() {
        producers.close();
        workers.close();
    }

    @Override
    public void close() {
        stopProcesses();
        proxies().forEach(PacketProxy::close);
    }
}
