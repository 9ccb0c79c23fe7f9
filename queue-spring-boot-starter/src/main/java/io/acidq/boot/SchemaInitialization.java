package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** Sees to it that AcidQ's tables are there before anything uses them. */
final class SchemaInitialization {

    private SchemaInitialization() {}

    /** Creates the schema if the mode says so, else checks it. */
    static void of(DataSource dataSource, DatabaseInitializationMode mode) {
        boolean embedded = isEmbedded(dataSource);
        if (embedded && mode != DatabaseInitializationMode.NEVER) {
            createEmbedded(dataSource);
        } else if (mode == DatabaseInitializationMode.ALWAYS) {
            Schema.create(dataSource);
            check(dataSource, mode); // what was there before may differ
        } else {
            check(dataSource, mode);
        }
    }

    private static void createEmbedded(DataSource dataSource) {
        try {
            Schema.create(dataSource);
        } catch (RuntimeException e) {
            throw QueueMisuseException.withAction(
                    "AcidQ's tables can not be created in this H2", "add ;MODE=MySQL to spring.datasource.url", e);
        }
    }

    private static void check(DataSource dataSource, DatabaseInitializationMode mode) {
        try {
            Schema.check(dataSource);
        } catch (QueueMisuseException e) {
            if (e.action().isPresent()) { // of another version, which no setting mends
                throw e;
            }
            throw QueueMisuseException.withAction(
                    e.getMessage() + " (acidq.initialize-schema is "
                            + mode.name().toLowerCase(Locale.ROOT) + ")",
                    "let your migrations run AcidQ's DDL, or set acidq.initialize-schema=always, which creates missing tables and changes none",
                    e);
        }
    }

    private static boolean isEmbedded(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("H2");
        } catch (SQLException e) {
            throw new UnreachedException(e);
        }
    }
}
