package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;

/** A database for each test. */
abstract class SchemaFixture {

    DataSource dataSource;

    /** An empty database. */
    abstract DataSource emptyDatabase() throws SQLException;

    abstract Vendor vendor();

    @BeforeEach
    void open() throws SQLException {
        dataSource = emptyDatabase();
    }

    /** Returns the message of the check for tables that differ. */
    String difference() {
        QueueMisuseException thrown = catchThrowableOfType(QueueMisuseException.class, () -> Schema.check(dataSource));
        assertThat(thrown).as("what Schema.check throws").isNotNull();
        return String.valueOf(thrown.getMessage());
    }

    static List<String> statementsIn(String complaint) {
        return complaint.lines().filter(line -> line.endsWith(";")).toList();
    }

    void repairAsSaidBy(String complaint) throws SQLException {
        executeAll(statementsIn(complaint));
        if (complaint.contains("create the missing tables with Schema.create")) {
            Schema.create(dataSource);
        }
    }

    void executeAll(List<String> statements) throws SQLException {
        for (String statement : statements) {
            execute(statement);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        return Long.parseLong(text(sql, 1));
    }

    String text(String sql, int column) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                var set = statement.executeQuery(sql)) {
            assertThat(set.next()).isTrue();
            return set.getString(column);
        }
    }
}
