package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The kind of database behind a connection. H2 is for development only. */
public enum Vendor {
    MYSQL("mysql"),
    MARIADB("mysql"),
    H2("h2");

    private final String schemaFolder;

    Vendor(String schemaFolder) {
        this.schemaFolder = schemaFolder;
    }

    /** The {@code databaseId} of its statements. */
    String databaseId() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Where its tables are defined, as a resource. */
    public String schemaResource() {
        return "/io/acidq/schema/" + schemaFolder + "/V1__acidq.sql";
    }

    /** The kind of database that a connection leads to. The server's version is read too: MySQL's driver calls a MariaDB server “MySQL”. */
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
