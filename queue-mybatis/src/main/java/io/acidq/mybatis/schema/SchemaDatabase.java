package io.acidq.mybatis.schema;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.CachedConnection;
import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Creates the tables in a database, or compares them with the definitions. */
public final class SchemaDatabase {

    private static final int H2_GENERAL_ERROR = 50_000;

    private final DataSource dataSource;
    private final MyBatisSessions sessions;

    public SchemaDatabase(DataSource dataSource) {
        this.dataSource = dataSource;
        this.sessions = new MyBatisSessions(dataSource, List.of("Fragments.xml", "Session.xml", "Schema.xml"));
    }

    /** Returns the text of the file that creates the tables. */
    public static String ddl(Vendor vendor) {
        return ExpectedSchema.of(vendor).text();
    }

    /** Creates the missing tables. Safe for concurrent callers, because the statements do not change existing tables. */
    public void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : ExpectedSchema.of(sessions.vendor(connection)).statements()) {
                run(statement, sql);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("Schema.create", e);
        }
    }

    private static void run(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (e.getErrorCode() == H2_GENERAL_ERROR) { // another session creates the same index
                statement.execute(sql);
            } else if (DatabaseError.of(e)
                    != DatabaseError.DUPLICATE_KEY) { // a duplicate: another node has just written the row
                throw e;
            }
        }
    }

    /**
     * Compares the database with the definitions.
     *
     * @param version the version of the definitions
     * @throws QueueMisuseException if anything differs; lists every difference and how to repair it
     */
    public void check(int version) {
        QueueMisuseException difference;
        try (Connection connection = dataSource.getConnection()) {
            CachedConnection unlimited = CachedConnection.forSchema(connection, sessions, "Schema.check");
            try {
                difference = difference(connection, version);
                unlimited.returnToPool();
            } catch (RuntimeException e) {
                unlimited.evict(); // its settings are not those of the pool
                throw e;
            }
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("Schema.check", e);
        }
        if (difference != null) {
            throw difference;
        }
    }

    private @Nullable QueueMisuseException difference(Connection connection, int version) throws SQLException {
        Vendor vendor = sessions.vendor(connection);
        QueueMisuseException difference = sessions.<@Nullable QueueMisuseException>withSession(
                connection,
                "Schema.check",
                s -> new SchemaCheck(s.getMapper(SchemaMapper.class), vendor, version)
                        .difference()
                        .exception());
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return difference;
    }
}
