package io.acidq.mybatis.schema;

import io.acidq.mybatis.session.Failures;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.DatabaseError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
        try (InputStream file = SchemaDatabase.class.getResourceAsStream(vendor.schemaResource())) {
            if (file == null) {
                throw new IllegalStateException("missing in the jar of queue-mybatis: " + vendor.schemaResource());
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("unreadable in the jar of queue-mybatis: " + vendor.schemaResource(), e);
        }
    }

    /** Runs the shipped file, whose statements change nothing that is there: two callers at once do no harm. */
    public void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String command : ddl(sessions.vendor(connection)).split(";\n", -1)) {
                String sql = command.replaceAll("(?m)^--.*\n", "").strip();
                if (!sql.isEmpty()) {
                    run(statement, sql);
                }
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

    /** Everything in which the database differs from the shipped tables. */
    public List<String> differences(int version) {
        try (Connection connection = dataSource.getConnection()) {
            Vendor vendor = sessions.vendor(connection);
            List<String> found = sessions.on(
                    connection,
                    "Schema.check",
                    s -> new SchemaCheck(s.getMapper(SchemaMapper.class), vendor)
                            .differencesFrom(ShippedTable.in(ddl(vendor)), version));
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return found;
        } catch (SQLException e) {
            throw Failures.of("Schema.check", e);
        }
    }
}
