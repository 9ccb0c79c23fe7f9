package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The database product. H2 is for development only. */
public enum Vendor {
    MYSQL("mysql"),
    MARIADB("mysql"),
    H2("h2");

    private final String schemaFolder;

    Vendor(String schemaFolder) {
        this.schemaFolder = schemaFolder;
    }

    /** The {@code databaseId} of its statements in mapper files. */
    String databaseId() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The resource that defines its tables. */
    public String schemaResource() {
        return "/io/acidq/schema/" + schemaFolder + "/V1__acidq.sql";
    }

    /** Returns the product of a connection. Reads the version too, because the driver of MySQL reports a MariaDB server as “MySQL”. */
    public static Vendor of(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String product = about.getDatabaseProductName();
        String version = about.getDatabaseProductVersion();
        String text = (product + " " + version).toLowerCase(Locale.ROOT);
        if (text.contains("mariadb")) {
            return MARIADB;
        }
        if (text.startsWith("h2 ")) {
            return H2;
        }
        if (text.startsWith("mysql ")) {
            return MYSQL;
        }
        throw ExceptionTranslator.unknownDatabase(product, version);
    }
}
