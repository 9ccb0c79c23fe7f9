package io.acidq.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A packet of MySQL's protocol.
 *
 * @param bytes header and body
 */
record Packet(byte[] bytes) {

    private static final int HEADER = 4;
    private static final int COM_QUERY = 3;
    private static final int COM_STMT_PREPARE = 22;
    private static final int NO_ATTRIBUTES = 2;
    private static final int GREETING = 10;
    private static final int ERROR = 0xff;
    private static final int MAX_STATEMENT_PREFIX = 2000;

    /** Reads the next packet; null at the end of the stream. */
    static @Nullable Packet read(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER];
        int first = in.read();
        if (first < 0) {
            return null;
        }
        header[0] = (byte) first;
        in.readFully(header, 1, HEADER - 1);
        int length = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        byte[] bytes = new byte[HEADER + length];
        System.arraycopy(header, 0, bytes, 0, HEADER);
        int read = in.readNBytes(bytes, HEADER, length);
        if (read < length) {
            throw new EOFException("in the middle of a packet");
        }
        return new Packet(bytes);
    }

    /** The start of the statement in a client's packet; empty if it has none. */
    String statement() {
        boolean begins = bytes.length > HEADER && bytes[3] == 0;
        if (!begins || (bytes[HEADER] != COM_QUERY && bytes[HEADER] != COM_STMT_PREPARE)) {
            return "";
        }
        int from = HEADER + 1 + (hasNoAttributes() ? NO_ATTRIBUTES : 0);
        return new String(bytes, from, Math.min(bytes.length - from, MAX_STATEMENT_PREFIX), UTF_8).strip();
    }

    /** Connector/J sends the number of query attributes before each statement to MySQL: none, in one set. No statement starts with a zero byte. */
    private boolean hasNoAttributes() {
        return bytes.length > HEADER + NO_ATTRIBUTES && bytes[HEADER + 1] == 0 && bytes[HEADER + 2] == 1;
    }

    /** The error code in a server's packet; 0 if it has none. */
    int error() {
        return bytes.length > HEADER + 2 && (bytes[HEADER] & 0xff) == ERROR ? (int) number(HEADER + 1, 2) : 0;
    }

    /** The connection id in the first packet of a server; 0 if that is no greeting. */
    long connection() {
        int end = HEADER + 1;
        while (end < bytes.length && bytes[end] != 0) { // skips the server's version
            end++;
        }
        boolean isGreeting = bytes.length > HEADER && bytes[HEADER] == GREETING && end + 4 < bytes.length;
        return isGreeting ? number(end + 1, 4) : 0;
    }

    private long number(int from, int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number |= (bytes[from + i] & 0xffL) << (8 * i);
        }
        return number;
    }

    boolean isCommit() {
        return statement().toUpperCase(Locale.ROOT).equals("COMMIT");
    }

    boolean isRollback() {
        return statement().toUpperCase(Locale.ROOT).equals("ROLLBACK");
    }
}
