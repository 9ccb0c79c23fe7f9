package io.acidq.mybatis.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a database says of the tables of AcidQ. */
interface SchemaMapper {

    @Nullable
    Integer version();

    List<TableRow> tables();

    List<ColumnRow> columns();

    List<KeyRow> keys();

    /** A table and its engine. */
    record TableRow(String tableName, @Nullable String engine) {}

    /**
     * A column.
     *
     * @param nullable whether NULL is allowed, 1 or 0
     * @param optional whether an INSERT may leave it out, 1 or 0
     */
    record ColumnRow(
            String tableName,
            String columnName,
            String columnType,
            @Nullable String collation,
            int nullable,
            int optional) {}

    /** A column of a key, in the order of the key. */
    record KeyRow(String tableName, String keyName, String columnName) {}
}
