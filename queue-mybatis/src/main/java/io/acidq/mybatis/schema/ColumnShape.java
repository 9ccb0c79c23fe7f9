package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.session.Vendor;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a column that are compared, in the same words for every server.
 *
 * @param type      in lower case, without the display width of integers
 * @param collation empty when it has none
 * @param nullable  whether NULL is allowed
 * @param defaultValue  the default as SQL, empty when it has none
 * @param extra      in upper case: AUTO_INCREMENT, ON UPDATE …, VIRTUAL GENERATED; else empty
 */
record ColumnShape(String type, String collation, boolean nullable, String defaultValue, String extra) {

    static ColumnShape of(ColumnRow row, Vendor vendor) {
        return new ColumnShape(
                row.columnType().toLowerCase(Locale.ROOT).replaceAll("^(tinyint|smallint|int|bigint)\\(\\d+\\)$", "$1"),
                row.collation() == null ? "" : row.collation(),
                row.nullable() == 1,
                vendor == Vendor.MARIADB ? byMariaDb(row.columnDefault()) : byMySql(row),
                row.extra()
                        .toUpperCase(Locale.ROOT)
                        .replaceAll("DEFAULT_GENERATED|INVISIBLE|,", "")
                        .strip());
    }

    /** MariaDB reports defaults as SQL, and no default of a column that may be NULL as the word NULL. */
    private static String byMariaDb(@Nullable String reported) {
        return reported == null || reported.equals("NULL") ? "" : reported;
    }

    /** MySQL reports the bare value, of binary columns in hexadecimal; one bit says that it is an expression. */
    private static String byMySql(ColumnRow row) {
        String reported = row.columnDefault();
        if (reported == null) {
            return "";
        }
        boolean sql = reported.matches("-?\\d+|0x[0-9A-F]*") || row.extra().contains("DEFAULT_GENERATED");
        return sql ? reported : "'" + reported + "'";
    }

    /** Without the properties that H2 reports in its own words. */
    ColumnShape comparableOn(Vendor vendor) {
        return vendor == Vendor.H2 ? new ColumnShape("", "", nullable, "", extra) : this;
    }

    boolean isVirtual() {
        return extra.contains("VIRTUAL");
    }

    @Override
    public String toString() {
        return Stream.of(
                        type,
                        collation.isEmpty() ? "" : "COLLATE " + collation,
                        nullable ? "NULL" : "NOT NULL",
                        defaultValue.isEmpty() ? "" : "DEFAULT " + defaultValue,
                        extra)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
