package io.acidq.benchmarks.candidate.handwritten;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.ManyRows;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.TableFill;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** The table of a hand-written queue, with a status or without. Thread-safe. */
final class MessageTable {

    private static final int AT_ONCE = 1000;

    /** Of a statement: less than any server's max_allowed_packet. */
    private static final int CHARACTERS = 1 << 20;

    private static final int DUPLICATE = 1062;

    private final boolean status;

    MessageTable(boolean status) {
        this.status = status;
    }

    void create(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS hand_message (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, "
                    + (status ? "status TINYINT NOT NULL DEFAULT 0, due DATETIME(6) NULL, " : "")
                    + "body MEDIUMTEXT CHARACTER SET ascii NOT NULL"
                    + (status ? ", KEY by_status (status, id)" : "")
                    + ") ENGINE=InnoDB");
            statement.execute("CREATE TABLE IF NOT EXISTS hand_key (p_key VARBINARY(255) NOT NULL PRIMARY KEY)"
                    + " ENGINE=InnoDB");
        }
    }

    /** In the transaction that is open. */
    void insert(Connection connection, List<BenchmarkMessage> benchmarkMessages) throws SQLException {
        List<BenchmarkMessage> wanted = new ArrayList<>(benchmarkMessages.size());
        for (BenchmarkMessage benchmarkMessage : benchmarkMessages) {
            if (benchmarkMessage.messageKey() == null || takes(connection, benchmarkMessage.messageKey())) {
                wanted.add(benchmarkMessage);
            }
        }
        int longest = wanted.stream()
                .mapToInt(benchmarkMessage -> benchmarkMessage.text().length())
                .max()
                .orElse(1);
        int atOnce = Math.max(1, Math.min(AT_ONCE, CHARACTERS / longest));
        for (int from = 0; from < wanted.size(); from += atOnce) {
            insertRows(connection, wanted.subList(from, Math.min(wanted.size(), from + atOnce)));
        }
    }

    private static boolean takes(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO hand_key (p_key) VALUES (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() != DUPLICATE) {
                throw e;
            }
            return false;
        }
    }

    private static void insertRows(Connection connection, List<BenchmarkMessage> benchmarkMessages)
            throws SQLException {
        String rows = String.join(", ", Collections.nCopies(benchmarkMessages.size(), "(?)"));
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO hand_message (body) VALUES " + rows)) {
            for (int i = 0; i < benchmarkMessages.size(); i++) {
                insert.setString(i + 1, benchmarkMessages.get(i).text());
            }
            insert.executeUpdate();
        }
    }

    void fill(DataSource pool, Backlog backlog) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                insert(connection, new SendBatch(backlog.part(first, AT_ONCE), false).messages());
                connection.commit();
            }
        }
    }

    /** Statuses: 0 ready, 1 waits for its time, 2 done, 3 failed. */
    void fillTables(DataSource pool, TableFill tableFill) throws SQLException {
        String row = "INSERT INTO hand_message (status, due, body) SELECT ";
        String body = ", REPEAT('x', 200)";
        try (Connection connection = pool.getConnection()) {
            ManyRows.insert(connection, row + "2, NULL" + body, tableFill.archived());
            ManyRows.insert(connection, row + "1, NOW(6) + INTERVAL 1 DAY" + body, tableFill.scheduled());
            ManyRows.insert(connection, row + "3, NULL" + body, tableFill.dead());
        }
    }

    void forEachRemaining(DataSource pool, LongConsumer letters) throws SQLException {
        MessageRows.read(pool, "LEFT(body, 12)", "hand_message" + (status ? " WHERE status = 0" : ""), letters);
    }

    /** The SELECT that takes the next ones. */
    String claim(int most) {
        return "SELECT id, body FROM hand_message" + (status ? " WHERE status = 0" : "") + " ORDER BY id LIMIT " + most
                + " FOR UPDATE SKIP LOCKED";
    }

    void delete(Connection connection, List<Row> rows) throws SQLException {
        String ids = rows.size() == 1
                ? "id = ?"
                : "id IN (" + String.join(", ", Collections.nCopies(rows.size(), "?")) + ")";
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM hand_message WHERE " + ids)) {
            for (int i = 0; i < rows.size(); i++) {
                delete.setLong(i + 1, rows.get(i).id());
            }
            delete.executeUpdate();
        }
    }

    static List<Row> read(PreparedStatement select) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet result = select.executeQuery()) {
            while (result.next()) {
                rows.add(new Row(result.getLong(1), result.getString(2)));
            }
        }
        return rows;
    }

    /** A message. */
    record Row(long id, String body) {}
}
