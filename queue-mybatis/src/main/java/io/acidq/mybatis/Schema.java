package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.schema.Grants;
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
     * Compares the tables with the file that this AcidQ brings.
     *
     * <ul>
     *   <li>The version comes first: when it differs, nothing else is compared.
     *   <li>Tables: present, no views, engine InnoDB, neither partitioned nor with system versioning, and the statistics pinned where the
     *       file pins them.
     *   <li>Columns: type, collation, NULL, default, AUTO_INCREMENT.
     *   <li>Keys: columns with their order, uniqueness, and that the server uses them.
     *   <li>What does not come from AcidQ: unique keys, foreign keys to or from its tables within this database, CHECK constraints,
     *       and columns that every INSERT would have to fill. All of these can refuse a row. Further keys that are not unique,
     *       columns that may be NULL or have a default, and triggers, by which online schema changes work, are left alone.
     * </ul>
     *
     * <p>On H2, which is for development, types, defaults, engine, statistics and constraints are not compared.
     *
     * <p>Costs five queries, on a connection of its own: four on {@code information_schema}, which MariaDB answers by opening each table of
     * this database, and one on {@code acidq_schema}. Locks and changes nothing.
     *
     * @throws QueueMisuseException                when anything differs. It names every difference, and the statements that mend them, one per
     *                                             line: they can be pasted
     * @throws io.acidq.TransientQueueException when the database cannot be asked now
     */
    public static void check(DataSource dataSource) {
        new SchemaDatabase(dataSource).check(VERSION);
    }

    /**
     * The statements that give an account of MySQL or MariaDB the privileges that its role needs on the tables, and no others. Grants nothing:
     * an administrator runs them, after the tables are there, but for the {@link Role#MIGRATOR}'s. The same is in
     * {@code io/acidq/schema/mysql/grants.sql} in the jar.
     *
     * @param database where the tables are
     * @param account  {@code user@host}, as in {@code shop_worker@%}, or the name of a role of the server
     * @return one statement each, without semicolon
     * @throws QueueMisuseException when a name has quotes, backslashes or control characters
     */
    public static List<String> grants(Role role, String database, String account) {
        return Grants.of(role.name(), database, account);
    }

    /** The statements that create the tables, as text. */
    public static String ddl(Vendor vendor) {
        return SchemaDatabase.ddl(vendor);
    }
}
