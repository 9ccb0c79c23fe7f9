package io.acidq.mybatis.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements that describe the tables of AcidQ in a database. */
interface SchemaMapper {

    /** Returns the version in the table, or null if it has no row. */
    @Nullable
    Integer version();

    List<TableRow> tables();

    List<ColumnRow> columns();

    List<IndexRow> keys();

    /** Not on H2. */
    List<RuleRow> rules();

    /** A table or a view. */
    record TableRow(
            String tableName,
            String tableType,
            @Nullable String engine,
            @Nullable String createOptions) {}

    /**
     * A column.
     *
     * @param columnName in lower case
     * @param nullable whether NULL is allowed, 1 or 0
     * @param optional whether an INSERT may omit it, 1 or 0
     */
    record ColumnRow(
            String tableName,
            String columnName,
            String columnType,
            @Nullable String collation,
            int nullable,
            @Nullable String columnDefault,
            String extra,
            int optional) {}

    /**
     * A column of a key, in the order of the key.
     *
     * @param kind   UNIQUE, FULLTEXT or empty
     * @param part   the column with length and direction
     * @param hidden whether the server ignores the key, 1 or 0
     */
    record IndexRow(String tableName, String keyName, String kind, String part, int hidden) {}

    /**
     * A constraint that acts on changes of a table.
     *
     * @param kind   FOREIGN KEY, CHECK or COLUMN CHECK; the last has the name of its column
     * @param holder the table that defines it, which for a foreign key may be another table
     */
    record RuleRow(String tableName, String kind, String name, String holder) {}
}
