package io.acidq.examples.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The application's own tables, by plain JDBC on the connection of the transaction. */
final class Books {

    private Books() {}

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS invoices ("
                    + "number BIGINT PRIMARY KEY, customer VARCHAR(100) NOT NULL, cents INT NOT NULL)");
            statement.execute("CREATE TABLE IF NOT EXISTS ledger ("
                    + "id BIGINT AUTO_INCREMENT PRIMARY KEY, invoice BIGINT NOT NULL, cents INT NOT NULL)");
        }
    }

    static void send(Connection connection, Invoice invoice) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO invoices (number, customer, cents) VALUES (?, ?, ?)")) {
            insert.setLong(1, invoice.number());
            insert.setString(2, invoice.customer());
            insert.setInt(3, invoice.cents());
            insert.executeUpdate();
        }
    }

    static void book(Connection connection, Invoice invoice) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO ledger (invoice, cents) VALUES (?, ?)")) {
            insert.setLong(1, invoice.number());
            insert.setInt(2, invoice.cents());
            insert.executeUpdate();
        }
    }

    static int booked(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM ledger")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
