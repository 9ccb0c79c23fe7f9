package io.acidq.mybatis.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parameters as part of the statement's text: as digits, as printable ASCII without quote and backslash, which is half as long as the same in hexadecimal digits, and
 * as these otherwise. No mode or character set of a session reads any of it as something else.
 * Connector/J writes bytes as hexadecimal digits too, for the same reason, and takes four times as long for it (measured). The text is put together as bytes,
 * whose digits {@link java.util.HexFormat} would copy three times.
 */
final class LiteralParameters implements DirectStatement.Parameters {

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] BINARY = bytesOf("_binary");

    private static final byte[] UTF8 = bytesOf("_utf8mb4 ");

    private final byte[][] pieces;
    private byte[] sql;
    private int end;
    private int next;
    private boolean afterRow;

    /**
     * One statement.
     *
     * @param begin  the text before the rows
     * @param pieces the text of a row, around its parameters: one more than there are
     * @param length of the whole, about
     */
    LiteralParameters(byte[] begin, byte[][] pieces, int length) {
        this.pieces = pieces;
        this.sql = new byte[length];
        append(begin);
    }

    /** The pieces of a text with places for parameters. */
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

    /** After the last parameter of a row. */
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
