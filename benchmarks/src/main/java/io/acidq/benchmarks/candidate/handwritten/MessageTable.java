package io.acidq.benchmarks.candidate.handwritten;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
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

    /** Payload characters of one statement: less than any server's max_allowed_packet. */
    private static final int MAX_CHARACTERS = 1 << 20;

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

    /** Inserts messages in the open transaction, except those whose key is taken. */
    void insert(Connection connection, List<BenchmarkMessage> messages) throws SQLException {
        List<BenchmarkMessage> wanted = new ArrayList<>(messages.size());
        for (BenchmarkMessage message : messages) {
            if (message.messageKey() == null || insertKey(connection, message.messageKey())) {
                wanted.add(message);
            }
        }
        int longest = wanted.stream()
                .mapToInt(message -> message.text().length())
                .max()
                .orElse(1);
        int atOnce = Math.max(1, Math.min(AT_ONCE, MAX_CHARACTERS / longest));
        for (int from = 0; from < wanted.size(); from += atOnce) {
            insertRows(connection, wanted.subList(from, Math.min(wanted.size(), from + atOnce)));
        }
    }

    private static boolean insertKey(Connection connection, String key) throws SQLException {
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

    private static void insertRows(Connection connection, List<BenchmarkMessage> messages) throws SQLException {
        String rows = String.join(", ", Collections.nCopies(messages.size(), "(?)"));
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO hand_message (body) VALUES " + rows)) {
            for (int i = 0; i < messages.size(); i++) {
                insert.setString(i + 1, messages.get(i).text());
            }
            insert.executeUpdate();
        }
    }

    void fill(DataSource pool, Backlog backlog) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                insert(connection, backlog.part(first, AT_ONCE));
                connection.commit();
            }
        }
    }

    /** The statuses are 0 ready, 1 scheduled, 2 done and 3 failed. */
    void fillTables(DataSource pool, TableFill tableFill) throws SQLException {
        String row = "INSERT INTO hand_message (status, due, body) SELECT ";
        String body = ", REPEAT('x', 200)";
        try (Connection connection = pool.getConnection()) {
            BenchmarkTables.insertMany(connection, row + "2, NULL" + body, tableFill.archived());
            BenchmarkTables.insertMany(connection, row + "1, NOW(6) + INTERVAL 1 DAY" + body, tableFill.scheduled());
            BenchmarkTables.insertMany(connection, row + "3, NULL" + body, tableFill.dead());
        }
    }

    void forEachRemaining(DataSource pool, LongConsumer ids) throws SQLException {
        BenchmarkTables.forEachId(pool, "LEFT(body, 12)", "hand_message" + (status ? " WHERE status = 0" : ""), ids);
    }

    /** The SELECT that locks the next messages. */
    String claim(int limit) {
        return "SELECT id, body FROM hand_message" + (status ? " WHERE status = 0" : "") + " ORDER BY id LIMIT " + limit
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
