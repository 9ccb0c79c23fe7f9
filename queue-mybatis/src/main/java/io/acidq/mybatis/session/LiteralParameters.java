package io.acidq.mybatis.session;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parameters as part of the statement's text: as digits and hexadecimal digits, which no mode or character set of a session reads as anything else.
 * Connector/J writes bytes as hexadecimal digits too, for the same reason, and takes four times as long for it (measured).
 */
final class LiteralParameters implements Parameters {

    private static final HexFormat HEX = HexFormat.of();

    private final List<String> pieces;
    private final StringBuilder sql;
    private int next;
    private boolean followed;

    /**
     * One statement.
     *
     * @param begin  the text before the rows
     * @param pieces the text of a row, around its parameters: one more than there are
     * @param length of the whole, about
     */
    LiteralParameters(String begin, List<String> pieces, int length) {
        this.pieces = pieces;
        this.sql = new StringBuilder(length).append(begin);
    }

    @Override
    public void number(long number) {
        before();
        sql.append(number);
    }

    @Override
    public void bytes(byte @Nullable [] bytes) {
        before();
        if (bytes == null) {
            sql.append("NULL");
        } else {
            append(bytes);
        }
    }

    @Override
    public void text(String text) {
        before();
        sql.append("_utf8mb4 ");
        append(text.getBytes(StandardCharsets.UTF_8));
    }

    /** After the last parameter of a row. */
    void endRow() {
        before();
        next = 0;
        followed = true;
    }

    String sql() {
        return sql.toString();
    }

    private void before() {
        if (next == 0 && followed) {
            sql.append(',');
        }
        sql.append(pieces.get(next++));
    }

    private void append(byte[] bytes) {
        sql.append("x'").append(HEX.formatHex(bytes)).append('\'');
    }
}
