package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The URL and the credentials of a database.
 *
 * @param url JDBC URL with the name of the database
 */
public record DatabaseLogin(String url, String user, String password) {

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return url + " as " + user;
    }
}
