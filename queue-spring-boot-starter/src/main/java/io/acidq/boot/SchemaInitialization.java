package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.Schema;
import io.acidq.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** Creates or checks AcidQ's tables before they are used. */
final class SchemaInitialization {

    private SchemaInitialization() {}

    /** Creates or checks the schema, depending on the mode. */
    static void of(DataSource dataSource, DatabaseInitializationMode mode) {
        boolean embedded = checkConnection(dataSource);
        if (embedded && mode != DatabaseInitializationMode.NEVER) {
            Schema.create(dataSource);
        } else if (mode == DatabaseInitializationMode.ALWAYS) {
            Schema.create(dataSource);
            check(dataSource, mode); // existing tables can differ
        } else {
            check(dataSource, mode);
        }
    }

    private static void check(DataSource dataSource, DatabaseInitializationMode mode) {
        try {
            Schema.check(dataSource);
        } catch (QueueMisuseException e) {
            if (e.action().isPresent()) { // wrong version of the schema; no setting helps
                throw e;
            }
            throw QueueMisuseException.withAction(
                    e.getMessage() + " (acidq.initialize-schema is "
                            + mode.name().toLowerCase(Locale.ROOT) + ")",
                    "let your migrations run AcidQ's DDL, or set acidq.initialize-schema=always, which creates missing tables and changes none",
                    e);
        }
    }

    /** Returns whether the database is embedded. Fails if the connections of the pool are read-only: the drivers then refuse each write of AcidQ. */
    private static boolean checkConnection(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            if (connection.isReadOnly()) {
                throw QueueMisuseException.withAction(
                        "the connections of the DataSource " + dataSource + " are read-only, and AcidQ writes",
                        "set spring.datasource.hikari.read-only=false, or mark a DataSource that writes @Primary");
            }
            return connection.getMetaData().getDatabaseProductName().equals("H2");
        } catch (SQLException e) {
            throw new DatabaseUnreachableException(dataSource, e);
        }
    }

    /**
     * Creates the tables of stores that the application has defined, before they are used, if the mode is always. The engine checks the tables at
     * its start in every mode.
     *
     * @param properties bound when the first store is created
     */
    record OfOwnStores(ObjectProvider<AcidqProperties> properties) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Store store
                    && properties.getObject().initializeSchema() == DatabaseInitializationMode.ALWAYS) {
                store.server().createTables();
            }
            return bean;
        }
    }
}
