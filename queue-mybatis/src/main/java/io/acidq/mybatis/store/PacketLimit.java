package io.acidq.mybatis.store;

import io.acidq.MessageRejectedException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.Vendor;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The limit of the server for one statement, max_allowed_packet. A larger statement must not be sent: some drivers send the beginning of it, the server
 * closes the connection, and the transaction is lost. The connections of the store report the limit when they are prepared. So a check costs a
 * statement only if the limit is unknown, or too small for the statement to be sent. Thread-safe.
 */
final class PacketLimit {

    /** The most bytes of a statement of several rows. */
    private static final long BYTES_PER_STATEMENT = 1 << 20;

    /** A payload from this size on is checked against the limit of the very session that sends it. */
    private static final int LARGE = 1 << 19;

    /** The text of a statement without parameters. */
    private static final int TEXT = 2 * 1024;

    /** UTF-8 has at most three bytes for a char, each of which may be sent as two. */
    static final int BYTES_PER_CHAR = 6;

    /** The text around the parameters of a row, with its numbers. */
    private static final int TEXT_PER_ROW = 512;

    private final MyBatisSessions sessions;

    PacketLimit(MyBatisSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Refuses a payload whose statement is larger than the limit.
     *
     * @param verb      the name of the store's method
     * @param textBytes the most bytes that the other parameters take in the statement
     */
    void check(Connection connection, String verb, byte[] payload, long textBytes) {
        long others = TEXT + TEXT_PER_ROW + textBytes;
        if (payload.length < LARGE && others + 2L * payload.length <= sessions.maxAllowedPacket()) {
            return;
        }
        long limit = ask(connection, verb);
        // on MySQL each byte is sent as two hexadecimal digits, by Connector/J as by AcidQ
        boolean inDigits = sessions.vendor(connection, verb) == Vendor.MYSQL;
        long needed = others + payload.length + (inDigits ? payload.length : escapes(payload));
        if (needed > limit) {
            throw new MessageRejectedException(
                    "a payload of " + payload.length + " bytes takes a statement of about " + needed
                            + " bytes, and the server's max_allowed_packet is " + limit
                            + ": store it elsewhere and enqueue a reference, or raise max_allowed_packet");
        }
    }

    /** Returns how many characters of a text fit into a statement beside short parameters. */
    int maxChars() {
        long known = sessions.maxAllowedPacket();
        return known == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, (known - TEXT) / BYTES_PER_CHAR);
    }

    /** Counts the bytes that the driver escapes, so that they are sent as two. */
    private static int escapes(byte[] payload) {
        int escapes = 0;
        for (byte b : payload) {
            if (b == 0 || b == '\n' || b == '\r' || b == 26 || b == '"' || b == '\'' || b == '\\') {
                escapes++;
            }
        }
        return escapes;
    }

    private long ask(Connection connection, String verb) {
        long limit = sessions.withSession(
                connection, verb, s -> s.getMapper(EnqueueMapper.class).maxAllowedPacket());
        sessions.setMaxAllowedPacket(limit);
        return limit;
    }

    /**
     * Splits rows, in their order, into lists that fit into one statement. A large row is a list of its own.
     *
     * @param maxRows the highest number of rows in one statement
     * @param bytes the bytes of the parameters of a row
     */
    <T> List<List<T>> chunks(Connection connection, String verb, List<T> rows, int maxRows, ToLongFunction<T> bytes) {
        if (rows.size() <= 1) {
            return rows.isEmpty() ? List.of() : List.of(rows);
        }
        long known = sessions.maxAllowedPacket();
        long limit = Math.min(BYTES_PER_STATEMENT, (known == 0 ? ask(connection, verb) : known) - TEXT);
        List<List<T>> chunks = new ArrayList<>();
        int from = 0;
        long sum = 0;
        for (int i = 0; i < rows.size(); i++) {
            long row = TEXT_PER_ROW + bytes.applyAsLong(rows.get(i));
            if (i > from && (i - from == maxRows || sum + row > limit)) {
                chunks.add(rows.subList(from, i));
                from = i;
                sum = 0;
            }
            sum += row;
        }
        chunks.add(rows.subList(from, rows.size()));
        return chunks;
    }
}
