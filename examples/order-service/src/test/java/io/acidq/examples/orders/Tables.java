package io.acidq.examples.orders;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A look into a job's database from outside. */
record Tables(TestDatabase database) {

    static Tables on(ServerKind kind) {
        return new Tables(TestServers.get(kind).createDatabase());
    }

    JobProcess job(String... arguments) {
        return JobProcess.on(database, arguments);
    }

    /** Whether the application has made its tables. */
    boolean areThere() {
        return count("information_schema.tables WHERE table_name IN ('acidq_node', 'shipments') AND table_schema = '"
                        + database.name() + "'")
                == 2;
    }

    long shipments() {
        return areThere() ? count("shipments") : 0;
    }

    /** Engines that have run. */
    long nodes() {
        return areThere() ? count("acidq_node") : 0;
    }

    /** Engines that were found dead; on a slow machine also living ones that missed their heartbeats. */
    long dead() {
        return count("acidq_node WHERE state = 'DEAD'");
    }

    /** Messages that are still to be processed. */
    long waiting() {
        return count("acidq_message") + count("acidq_scheduled");
    }

    long count(String from) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("counting " + from, e);
        }
    }

    void change(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
