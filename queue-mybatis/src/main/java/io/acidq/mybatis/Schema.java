package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.schema.SchemaDatabase;
import io.acidq.mybatis.session.Vendor;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of AcidQ, all of them named {@code acidq_…}. The same file serves {@link #create}, a migration tool (it is
 * {@code io/acidq/schema/mysql/V1__acidq.sql} in the jar, made for Flyway) and {@link #check}.
 */
public final class Schema {

    /** The version of the tables that this AcidQ works with. */
    public static final int VERSION = 1;

    private Schema() {}

    /**
     * Creates the tables that are missing in the DataSource's database; changes nothing that is there, and may run on several nodes at
     * once. On a connection of its own: DDL would commit a transaction.
     *
     * @throws QueueMisuseException when the user of the DataSource may not create tables
     */
    public static void create(DataSource dataSource) {
        new SchemaDatabase(dataSource).create();
    }

    /**
     * Compares tables, columns, keys, engine and version with what this AcidQ needs.
     *
     * @throws QueueMisuseException that names every difference and the way to mend it
     */
    public static void check(DataSource dataSource) {
        List<String> differences = new SchemaDatabase(dataSource).differences(VERSION);
        if (!differences.isEmpty()) {
            throw new QueueMisuseException(
                    "the tables of AcidQ in this database are not those of version " + VERSION + ": "
                            + String.join("; ", differences)
                            + ". Missing tables: Schema.create, initialize-schema, or your migration tool with"
                            + " io/acidq/schema/mysql/V1__acidq.sql from the jar. Everything else: ALTER TABLE until it matches that file");
        }
    }

    /** The statements that create the tables, as text. */
    public static String ddl(Vendor vendor) {
        return SchemaDatabase.ddl(vendor);
    }
}
