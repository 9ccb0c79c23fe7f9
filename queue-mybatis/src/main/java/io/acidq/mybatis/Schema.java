package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.schema.Grants;
import io.acidq.mybatis.schema.SchemaDatabase;
import io.acidq.mybatis.session.Vendor;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of AcidQ, whose names all begin with {@code acidq_}. One file defines them for {@link #create}, for {@link #check} and for migration
 * tools: {@code io/acidq/schema/mysql/V1__acidq.sql} in the jar, named for Flyway.
 */
public final class Schema {

    /** The version of the tables that this version of AcidQ needs. */
    public static final int VERSION = 1;

    private Schema() {}

    /**
     * Creates the missing tables in the DataSource's database and leaves existing tables unchanged. Several nodes may call it at once. Uses a connection
     * of its own, because DDL commits the current transaction.
     *
     * @throws QueueMisuseException if the user of the DataSource is not allowed to create tables
     */
    public static void create(DataSource dataSource) {
        new SchemaDatabase(dataSource).create();
    }

    /**
     * Compares the tables with the definitions of this version of AcidQ:
     *
     * <ul>
     *   <li>the version; if it differs, nothing else is compared
     *   <li>tables: they exist, are not views, use InnoDB, are neither partitioned nor system-versioned, and their statistics are pinned where the
     *       definition pins them
     *   <li>columns: type, collation, NULL, default, AUTO_INCREMENT
     *   <li>keys: their columns in order, uniqueness, and that the server uses them
     *   <li>additions that can refuse a row: unique keys, foreign keys to or from the tables within this database, CHECK constraints, and columns for
     *       which every INSERT needs a value. Other keys, columns that allow NULL or have a default, and triggers, which online schema changes use, are
     *       allowed
     * </ul>
     *
     * <p>On H2, which is for development only, types, defaults, engine, statistics and constraints are not compared.
     *
     * <p>Runs five queries on a connection of its own: four on {@code information_schema}, for which MariaDB opens every table of this database, and one
     * on {@code acidq_schema}. Locks and changes nothing.
     *
     * @throws QueueMisuseException if anything differs. The message lists every difference and the statements that repair them, one per line, ready to
     *     be pasted
     * @throws io.acidq.TransientQueueException if the database is not available now
     */
    public static void check(DataSource dataSource) {
        new SchemaDatabase(dataSource).check(VERSION);
    }

    /**
     * Returns the GRANT statements that give an account of MySQL or MariaDB exactly the privileges that its role needs. An administrator runs them, after
     * the tables have been created, except those of {@link Role#MIGRATOR}. The jar has the same statements in
     * {@code io/acidq/schema/mysql/grants.sql}.
     *
     * @param database the database that has the tables
     * @param account  {@code user@host}, for example {@code shop_worker@%}, or the name of a role of the server
     * @return the statements without semicolons
     * @throws QueueMisuseException if a name contains quotes, backslashes or control characters
     */
    public static List<String> grants(Role role, String database, String account) {
        return Grants.of(role.name(), database, account);
    }

    /** Returns the statements that create the tables. */
    public static String ddl(Vendor vendor) {
        return SchemaDatabase.ddl(vendor);
    }
}
