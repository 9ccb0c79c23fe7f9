package io.acidq.mybatis.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a database says of the tables of AcidQ. */
interface SchemaMapper {

    /** The version that is written there; null when there is no row. */
    @Nullable
    Integer version();

    List<TableRow> tables();

    List<ColumnRow> columns();

    List<KeyRow> keys();

    /** Not on H2. */
    List<RuleRow> rules();

    /** A table, or a view of that name. */
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
     * @param optional whether an INSERT may leave it out, 1 or 0
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
     * @param part   the column, with length and direction
     * @param hidden whether the server does not use it, 1 or 0
     */
    record KeyRow(String tableName, String keyName, String kind, String part, int hidden) {}

    /**
     * What the server does or refuses at a change of a table.
     *
     * @param kind   FOREIGN KEY, CHECK, or COLUMN CHECK, which has the name of its column
     * @param holder the table that it is defined at: for a foreign key it may be another one
     */
    record RuleRow(String tableName, String kind, String name, String holder) {}
}
