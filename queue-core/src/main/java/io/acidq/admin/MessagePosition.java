package io.acidq.admin;

import io.acidq.QueueMisuseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * A place in a list of messages, behind which the list continues. It is taken from a {@link Messages.MessageSlice}; its text can be given to users
 * and read again, also by another process. Immutable.
 *
 * @param table  the table of the message. Lanes are listed by lane and place, parked messages by ordering key and place, scheduled messages with the soonest due
 *               first, dead letters and the archive with the newest first
 * @param first  the first part of its place in the index of that table
 * @param second the second part
 */
public record MessagePosition(MessageTable table, String first, String second) {

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when they are no position in this table
     */
    public MessagePosition {
        try {
            switch (table) {
                case LANE -> {
                    Short.parseShort(first);
                    Long.parseLong(second);
                }
                case PARKED -> {
                    HexFormat.of().parseHex(first);
                    Long.parseLong(second);
                }
                case SCHEDULED -> {
                    Instant.parse(first);
                    Long.parseLong(second);
                }
                case DEAD, ARCHIVE -> {
                    Instant.parse(first);
                    UUID.fromString(second);
                }
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new QueueMisuseException(problem(table + " " + first + " " + second), e);
        }
    }

    /**
     * Reads the text of a position.
     *
     * @throws QueueMisuseException when it is none
     */
    public static MessagePosition parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new QueueMisuseException(problem(text));
        }
        try {
            return new MessagePosition(MessageTable.valueOf(parts[0].toUpperCase(Locale.ROOT)), parts[1], parts[2]);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(problem(text), e);
        }
    }

    private static String problem(String text) {
        return "'" + text + "' is no position in a list of messages: take it from the slice before";
    }

    /** The text, which {@link #parse} reads. */
    @Override
    public String toString() {
        return table + " " + first + " " + second;
    }
}
