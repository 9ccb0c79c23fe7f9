package io.acidq.mybatis.schema;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Failures;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** A database whose tables are created or looked at. */
public final class SchemaDatabase {

    private final DataSource dataSource;
    private final Sessions sessions;

    public SchemaDatabase(DataSource dataSource) {
        this.dataSource = dataSource;
        this.sessions = new Sessions(dataSource, List.of("Schema.xml"));
    }

    /** The shipped file. */
    public static String ddl(Vendor vendor) {
        return ShippedFile.of(vendor).text();
    }

    /** Runs the shipped file, whose statements change nothing that is there: two callers at once do no harm. */
    public void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : ShippedFile.of(sessions.vendor(connection)).statements()) {
                run(statement, sql);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw Failures.of("Schema.create", e);
        }
    }

    private static void run(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) { // else another node has just written that row
                throw e;
            }
        }
    }

    /**
     * Compares the database with the shipped file.
     *
     * @param version the version of the shipped file
     * @throws QueueMisuseException that names every difference and how to mend it
     */
    public void check(int version) {
        Complaint complaint = complaint(version);
        String problem =
                "the tables of AcidQ in this database are not those of version " + version + ":" + complaint.text();
        if (complaint.action() != null) {
            throw QueueMisuseException.withAction(problem, complaint.action());
        }
        if (!complaint.text().isEmpty()) {
            throw new QueueMisuseException(problem);
        }
    }

    private Complaint complaint(int version) {
        try (Connection connection = dataSource.getConnection()) {
            Vendor vendor = sessions.vendor(connection);
            Complaint complaint = sessions.on(
                    connection,
                    "Schema.check",
                    s -> new SchemaCheck(s.getMapper(SchemaMapper.class), vendor, version).complaint());
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return complaint;
        } catch (SQLException e) {
            throw Failures.of("Schema.check", e);
        }
    }
}
