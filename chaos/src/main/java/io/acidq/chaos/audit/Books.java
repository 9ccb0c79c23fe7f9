package io.acidq.chaos.audit;

import io.acidq.chaos.audit.Story.Death;
import io.acidq.chaos.audit.Story.Effect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the database says, by SQL of our own. */
final class Books {

    private final Connection connection;
    private final List<String> strangers = new ArrayList<>();

    Books(Connection connection) {
        this.connection = connection;
    }

    void read(Map<String, Story> stories) throws SQLException {
        forEach("SELECT p_key FROM chaos_business", row -> story(stories, row).booked = true);
        forEach(
                "SELECT e.p_key, e.id, e.node, e.claim_no, e.at < b.due_at FROM chaos_effect e LEFT JOIN chaos_business b ON b.p_key = e.p_key"
                        + " ORDER BY e.id",
                row -> {
                    Story story = story(stories, row);
                    story.effects.add(new Effect(row.getLong(2), row.getInt(3), row.getInt(4)));
                    story.early |= row.getBoolean(5);
                });
        forEach(
                "SELECT CONVERT(p_key USING utf8mb4), attempts, deaths, LEFT(mark, 300) FROM acidq_dead",
                row -> story(stories, row).death = new Death(row.getInt(2), row.getInt(3), row.getString(4)));
    }

    /** Keys that no producer has ever meant. */
    List<String> strangers() {
        return strangers;
    }

    /** What the queue still holds. */
    List<String> leftovers() throws SQLException {
        List<String> left = new ArrayList<>();
        for (String table : List.of("acidq_message", "acidq_scheduled")) {
            forEach(
                    "SELECT CONVERT(p_key USING utf8mb4) FROM " + table + " LIMIT 1000",
                    row -> left.add(table + " " + row.getString(1)));
        }
        return left;
    }

    private Story story(Map<String, Story> stories, ResultSet row) throws SQLException {
        String key = row.getString(1);
        Story known = stories.get(key);
        if (known == null) {
            strangers.add(key);
            return new Story(key, null, 0, io.acidq.chaos.role.Deed.PLAIN);
        }
        return known;
    }

    private void forEach(String sql, RowReader reader) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(rowByRow());
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    /** What makes the driver hand out rows as they come: there may be millions. */
    private int rowByRow() throws SQLException {
        return connection.getMetaData().getDriverName().contains("MariaDB") ? 1000 : Integer.MIN_VALUE;
    }

    /** Takes a row. */
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }
}
