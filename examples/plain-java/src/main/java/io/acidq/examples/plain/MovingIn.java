package io.acidq.examples.plain;

import io.acidq.AcidqException;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.mybatis.JdbcTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves the unfinished rows of a queue table of one's own into AcidQ, piece by piece. A piece is one transaction that enqueues the messages and
 * deletes the rows: killed at any moment and started again it goes on where it stopped, and no row is moved twice.
 */
public final class MovingIn {

    private static final int PIECE = 500;

    private final JdbcTransactions transactions;
    private final MessageQueue queue;

    public MovingIn(JdbcTransactions transactions, MessageQueue queue) {
        this.transactions = transactions;
        this.queue = queue;
    }

    /** The message that a row of an old table becomes, and its queue. */
    public record Moved(String queue, NewMessage message) {}

    /** Reads a row. */
    @FunctionalInterface
    public interface Reading {
        Moved read(ResultSet row) throws SQLException;
    }

    /**
     * The numbers of rows, by what was done with them.
     *
     * @param moved      rows that are messages now
     * @param duplicates rows that were left where they are, because their message key is taken already
     * @param refused    rows that were left where they are because they make no message, each with its reason
     */
    public record Counts(int moved, int duplicates, List<String> refused) {}

    // snippet:move
    /** All unfinished rows of the table, in order of their ids. */
    public Counts move(OldTable table) throws Exception {
        int moved = 0;
        int seen = 0;
        List<String> refused = new ArrayList<>();
        for (long last = 0; ; ) {
            long after = last;
            Piece piece = transactions.call(() -> movePiece(table, after)); // all of it commits, or nothing
            moved += piece.moved();
            seen += piece.rows() - piece.refused().size();
            refused.addAll(piece.refused());
            if (piece.rows() < PIECE) {
                return new Counts(moved, seen - moved, refused);
            }
            last = piece.last();
        }
    }

    private Piece movePiece(OldTable table, long after) throws SQLException {
        Connection connection = transactions.connection();
        Map<String, Map<Long, NewMessage>> byQueue = new LinkedHashMap<>();
        long last = after;
        int rows = 0;
        List<String> refused = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(table.select() + " FOR UPDATE")) {
            select.setLong(1, after);
            select.setInt(2, PIECE);
            try (ResultSet row = select.executeQuery()) {
                for (; row.next(); rows++) {
                    last = row.getLong("id");
                    try {
                        Moved becomes = table.reading().read(row);
                        byQueue.computeIfAbsent(becomes.queue(), q -> new LinkedHashMap<>())
                                .put(last, once(becomes.message()));
                    } catch (AcidqException e) {
                        refused.add(last + ": " + e.getMessage());
                    }
                }
            }
        }
        int moved = 0;
        for (Map.Entry<String, Map<Long, NewMessage>> entry : byQueue.entrySet()) {
            Map<Long, Enqueued> results = enqueue(entry.getKey(), entry.getValue(), refused);
            moved += delete(connection, table, results);
        }
        return new Piece(rows, moved, last, refused);
    }

    /** All at once; one by one when some are refused, which happens before anything is written. */
    private Map<Long, Enqueued> enqueue(String name, Map<Long, NewMessage> messages, List<String> refused) {
        Map<Long, Enqueued> results = new LinkedHashMap<>();
        try {
            List<Enqueued> all = queue.enqueueAll(name, List.copyOf(messages.values()));
            messages.keySet().forEach(id -> results.put(id, all.get(results.size())));
        } catch (MessageRejectedException | QueueMisuseException some) {
            messages.forEach((id, message) -> {
                try {
                    results.put(id, queue.enqueueAll(name, List.of(message)).get(0));
                } catch (MessageRejectedException | QueueMisuseException e) {
                    refused.add(id + ": " + e.getMessage());
                }
            });
        }
        return results;
    }
    // /snippet

    /** Whatever the queue does with duplicates otherwise: here the row stays. */
    private static NewMessage once(NewMessage message) {
        return new NewMessage(message.payload(), message.options().onDuplicate(OnDuplicate.ignore()));
    }

    private static int delete(Connection connection, OldTable table, Map<Long, Enqueued> results) throws SQLException {
        List<Long> gone = results.entrySet().stream()
                .filter(e -> !e.getValue().isDuplicate())
                .map(Map.Entry::getKey)
                .toList();
        try (PreparedStatement delete = connection.prepareStatement(table.delete())) {
            for (long id : gone) {
                delete.setLong(1, id);
                delete.addBatch();
            }
            delete.executeBatch();
        }
        return gone.size();
    }

    /** The result of one transaction. */
    private record Piece(int rows, int moved, long last, List<String> refused) {}
}
