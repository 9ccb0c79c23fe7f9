package io.acidq.mybatis.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parameters written into the text of the statement. Numbers are written as digits, printable ASCII without quote and backslash as a string, which is
 * half as long as hexadecimal, and all other bytes as hexadecimal digits. Every SQL mode and character set of a session reads this text the same way.
 * Connector/J also writes bytes as hexadecimal digits for this reason, but takes four times as long (measured). The text is built as bytes, because
 * {@link java.util.HexFormat} would copy the digits three times.
 */
final class LiteralParameters implements RawStatement.Parameters {

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] BINARY = bytesOf("_binary");

    private static final byte[] UTF8 = bytesOf("_utf8mb4 ");

    private final byte[][] pieces;
    private byte[] sql;
    private int end;
    private int next;
    private boolean afterRow;

    /**
     * Begins a statement.
     *
     * @param begin  the text before the rows
     * @param pieces the texts of a row around its parameters, one more than the row has parameters
     * @param length the approximate length of the statement
     */
    LiteralParameters(byte[] begin, byte[][] pieces, int length) {
        this.pieces = pieces;
        this.sql = new byte[length];
        append(begin);
    }

    /** Splits the text of a row at its parameters. */
    static byte[][] pieces(String row) {
        return Stream.of(row.split("\\?", -1)).map(LiteralParameters::bytesOf).toArray(byte[][]::new);
    }

    static byte[] bytesOf(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void number(long number) {
        appendPiece();
        append(bytesOf(Long.toString(number)));
    }

    @Override
    public void bytes(byte @Nullable [] bytes) {
        appendPiece();
        if (bytes == null) {
            append(bytesOf("NULL"));
        } else if (isPlain(bytes)) {
            append(BINARY);
            appendQuoted(bytes);
        } else {
            appendDigits(bytes);
        }
    }

    @Override
    public void text(String text) {
        appendPiece();
        byte[] bytes = bytesOf(text);
        append(UTF8);
        if (isPlain(bytes)) {
            appendQuoted(bytes);
        } else {
            appendDigits(bytes);
        }
    }

    /** Ends a row; called after its last parameter. */
    void endRow() {
        appendPiece();
        next = 0;
        afterRow = true;
    }

    String sql() {
        return new String(sql, 0, end, StandardCharsets.UTF_8);
    }

    private void appendPiece() {
        if (next == 0 && afterRow) {
            ensureCapacity(1);
            sql[end++] = ',';
        }
        append(pieces[next++]);
    }

    private void append(byte[] text) {
        ensureCapacity(text.length);
        System.arraycopy(text, 0, sql, end, text.length);
        end += text.length;
    }

    private static boolean isPlain(byte[] bytes) {
        for (byte each : bytes) {
            if (each < ' ' || each > '~' || each == '\'' || each == '\\') {
                return false;
            }
        }
        return true;
    }

    private void appendQuoted(byte[] plain) {
        ensureCapacity(plain.length + 2);
        sql[end++] = '\'';
        System.arraycopy(plain, 0, sql, end, plain.length);
        end += plain.length;
        sql[end++] = '\'';
    }

    private void appendDigits(byte[] bytes) {
        ensureCapacity(2 * bytes.length + 3);
        sql[end++] = 'x';
        sql[end++] = '\'';
        for (byte each : bytes) {
            sql[end++] = DIGITS[(each >> 4) & 15];
            sql[end++] = DIGITS[each & 15];
        }
        sql[end++] = '\'';
    }

    private void ensureCapacity(int more) {
        if (sql.length - end < more) {
            sql = Arrays.copyOf(sql, Math.max(2 * sql.length, Math.addExact(end, more)));
        }
    }
}
