package io.acidq.chaos.arena;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.proxy.PacketProxy;
import io.acidq.chaos.proxy.Strikes;
import io.acidq.chaos.role.Tables;
import io.acidq.chaos.role.Wire;
import io.acidq.mybatis.Schema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A server with producers and workers around it, each role behind a proxy of its own. */
public final class Arena implements AutoCloseable {

    private final Path folder;
    private final Strikes strikes = new Strikes();
    private final PacketProxy toProducers;
    private final PacketProxy toWorkers;
    private final Staff producers;
    private final Staff workers;
    private volatile Target target;

    public Arena(Target target, Path folder, Cast cast) {
        this.target = target;
        this.folder = folder;
        this.toProducers = PacketProxy.before(target.address(), strikes);
        this.toWorkers = PacketProxy.before(target.address(), strikes);
        this.producers = new Staff(
                "producer",
                folder,
                number -> cast.producer(wire(toProducers), folder.resolve("producer-" + number + ".journal"), number));
        this.workers = new Staff(
                "worker",
                folder,
                number -> cast.worker(wire(toWorkers), folder.resolve("worker-" + number + ".journal"), number));
    }

    /** The processes see another server behind the same address. */
    public void moveTo(Target other) {
        target = other;
        proxies().forEach(proxy -> proxy.moveTo(other.address()));
    }

    private Wire wire(PacketProxy proxy) {
        return new Wire(target.through(proxy.port()), target.user(), target.password());
    }

    /** Creates the tables, of the queue and of the application. */
    public void prepare() throws SQLException {
        try (HikariDataSource pool = new Wire(target.url(), target.user(), target.password()).pool(2)) {
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

    public Target target() {
        return target;
    }

    public Path folder() {
        return folder;
    }

    public Strikes strikes() {
        return strikes;
    }

    public List<PacketProxy> proxies() {
        return List.of(toProducers, toWorkers);
    }

    public Staff producers() {
        return producers;
    }

    public Staff workers() {
        return workers;
    }

    /** How many messages are neither done nor dead. */
    public long waiting() throws SQLException {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)");
    }

    /** The one number that a query gives. */
    public long count(String sql) throws SQLException {
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Ends every process, each in good order. */
    public void rest() {
        producers.close();
        workers.close();
    }

    @Override
    public void close() {
        rest();
        proxies().forEach(PacketProxy::close);
    }
}
